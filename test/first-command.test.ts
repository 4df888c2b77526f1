import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { VERSION } from '#src/domain/version.ts'
import { measureFirstStart } from '#test/support/first-start.ts'
import { ROOT, ServiceProcess } from '#test/support/process.ts'

/** Makes a Node give itself out for an old one; what it starts is what it is. */
const OLD = "--import=data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.0'})"

const folder = mkdtempSync(join(tmpdir(), 'facet-first-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]) {
  const child = spawn(process.execPath, [OLD, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise((resolve) => child.once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { out, err, code }
}

describe('with a Node that is too old, whatever npm has linked', () => {
  it('the service starts by the Node that came with the packages, and stops with it', async () => {
    await using service = new ServiceProcess({ command: [process.execPath, OLD, 'scripts/start.js'] })
    expect((await fetch(`${await service.url()}/api/health`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it('commands and tests run by it too, and end as it ends', async () => {
    expect(await run('scripts/facet.js', '--version')).toEqual({ out: `${VERSION}\n`, err: '', code: 0 })
    expect(await run('scripts/facet.js', 'nonsense')).toMatchObject({ code: 2 })
    const script = join(folder, 'told.mjs')
    writeFileSync(script, 'console.log(process.versions.node.split(".")[0] >= 24, process.argv[2])')
    expect(await run('scripts/with-node.js', script, 'x')).toEqual({ out: 'true x\n', err: '', code: 0 })
  })

  it('and without the packages a sentence says what to do', async () => {
    const scripts = join(folder, 'bare', 'scripts')
    mkdirSync(scripts, { recursive: true })
    writeFileSync(join(folder, 'bare', 'package.json'), '{"type":"module"}')
    for (const name of ['own-node.js', 'start.js', 'facet.js'])
      cpSync(join(ROOT, 'scripts', name), join(scripts, name))
    for (const name of ['start.js', 'facet.js']) {
      const { out, err, code } = await run(join(scripts, name))
      expect({ out, code }).toEqual({ out: '', code: 1 })
      expect(err).toMatch(/^Facet needs Node 24 or newer and was started with 20\.20\.0\.\nRun `npm ci` /)
    }
  })
})

describe('the first start of a checkout', () => {
  it('builds the web application, and what the service runs from, in 200 MB', async () => {
    // The figures are those of Linux.
    if (process.platform !== 'linux') return
    const { megabytes } = await measureFirstStart()
    expect(megabytes).toBeGreaterThan(100)
    // Garbage is collected later where the processor is busy.
    expect(megabytes).toBeLessThan(200 * 1.1)
  })
})
