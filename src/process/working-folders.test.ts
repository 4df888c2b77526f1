import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeWorkingFolder, sweepWorkingFolders } from '#src/process/working-folders.ts'

const CODE = `
  import { writeFileSync } from 'node:fs'
  import { makeWorkingFolder } from '#src/process/working-folders.ts'
  const folder = makeWorkingFolder('import')
  writeFileSync(folder + '/file', 'rows')
  console.log(folder)
  setInterval(() => {}, 1000)`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-working-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** Another process that works with a folder; its name. */
async function startOther(): Promise<{ child: ChildProcess; name: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CODE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, name: basename(line.toString().trim()) }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Makes one that was last touched some hours ago. */
function make(name: string, hours: number): string {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'file'), 'rows')
  const then = Date.now() / 1000 - hours * 3600
  utimesSync(join(folder, name), then, then)
  return name
}

describe('what processes work with in temporary folders', { timeout: 30_000 }, () => {
  it('is swept once its process has been killed, and never before', async () => {
    const own = basename(makeWorkingFolder('zip'))
    const { child, name } = await startOther()
    try {
      const long = Date.now() / 1000 - 30 * 24 * 3600
      utimesSync(join(folder, name), long, long)
      await sweepWorkingFolders()
      expect(readdirSync(folder)).toEqual([name, own])
    } finally {
      await end(child)
    }
    await sweepWorkingFolders()
    expect(readdirSync(folder)).toEqual([own])
  })

  it('is swept where another process has its number by now', async () => {
    const own = basename(makeWorkingFolder('import'))
    const before = make(own.replace(/-\d+-(\w{6})$/, '-1-$1'), 0)
    expect(readdirSync(folder)).toContain(before)
    await sweepWorkingFolders()
    expect(readdirSync(folder)).toEqual([own])
  })

  it('is left alone for a day where nobody can ask for its process', async () => {
    const own = basename(makeWorkingFolder('import'))
    const elsewhere = (part: string) => own.replace(/^(facet-import-)\w+/, `$1${part}`)
    const kept = [
      make(elsewhere('0000000a'), 23),
      make('facet-zip-aB3dE6', 23), // of an older version
      make('facet-import-crash-aB3dE6', 100),
      make('facet-backup-aB3dE6', 100),
    ]
    make(elsewhere('0000000b'), 25)
    make('facet-import-Zz3dE6', 25)
    const target = join(folder, kept[0]!)
    symlinkSync(target, join(folder, 'facet-zip-links6'))
    await sweepWorkingFolders()
    expect(readdirSync(folder)).toEqual([...kept, own, 'facet-zip-links6'].toSorted())
    expect(readdirSync(target)).toEqual(['file'])
  })
})
