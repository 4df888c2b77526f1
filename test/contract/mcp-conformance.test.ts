import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '#test/support/service.ts'

const require = createRequire(import.meta.url)
const PACKAGE = require.resolve('@modelcontextprotocol/conformance/package.json')
const PROGRAM = join(dirname(PACKAGE), 'dist/index.js')

/**
 * The scenarios for what the server is: tools, and no state between requests. The others call tools, resources and
 * prompts that their own example server has, or go by a session id, which it gives none. Foreign hosts are a browser's
 * affair, so they are refused with its cookie; a key is sent by nobody but its holder.
 */
const SCENARIOS = [
  ['server-initialize', 'key'],
  ['ping', 'key'],
  ['tools-list', 'key'],
  ['server-initialize', 'session'],
  ['dns-rebinding-protection', 'session'],
] as const

let service: Service
/** In front of the service, by what they add. */
let fronts: Record<'key' | 'session', Server>
let folder: string

beforeAll(async () => {
  service = await startService()
  const owner = await service.user()
  const { key } = await owner.ok('POST', '/api/keys', { name: 'conformance', scope: 'read' })
  fronts = {
    key: adding({ authorization: `Bearer ${key}` }),
    session: adding({ cookie: owner.cookieHeader }),
  }
  for (const front of Object.values(fronts))
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  folder = mkdtempSync(join(tmpdir(), 'facet-conformance-'))
})
afterAll(async () => {
  for (const front of Object.values(fronts)) {
    front.closeAllConnections()
    front.close()
  }
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The program has no way to show who it is, so this is in front of the service and adds it. */
function adding(shown: Record<string, string>): Server {
  return createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const own = { ...headers, ...shown }
    const passed = request(new URL(url, service.url), { method, headers: own, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
}

function run(scenario: string, front: Server): Promise<{ code: number | null; said: string }> {
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/api/mcp`
  const args = [PROGRAM, 'server', '--url', url, '--scenario', scenario]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code, said }))
  })
}

describe('the official conformance scenarios', () => {
  for (const [scenario, by] of SCENARIOS)
    it(`${scenario}, through a ${by}`, { timeout: 60_000 }, async () => {
      const { code, said } = await run(scenario, fronts[by])
      expect(said).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/)
      expect(code, said).toBe(0)
    })
})
