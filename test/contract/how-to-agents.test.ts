import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '#src/config/read-config.ts'
import type { Client } from '#test/support/client.ts'
import { parsePrometheus } from '#test/support/prometheus.ts'
import { type Service, startService } from '#test/support/service.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = (name: string) => readFileSync(join(ROOT, 'docs/how-to', name), 'utf8')
/** The blocks of a language, as they are printed; without one, those that name none. */
const blocks = (name: string, language = '') =>
  [...page(name).matchAll(/^```(\w*)\n(.*?)^```/gms)].flatMap(([, kind, text]) =>
    kind === language ? [text!] : [],
  )

let service: Service
let owner: Client
let env: NodeJS.ProcessEnv
/** In which `claude` only says how it was called: the program itself is not ours to install. */
const CLAUDE = '#!/bin/sh\nfor each in "$@"; do printf "%s\\n" "$each"; done\n'

beforeAll(async () => {
  service = await startService({ env: { METRICS_PORT: '0' } })
  owner = await service.user('agent@example.org')
  await owner.ok('POST', '/api/items', { name: 'Two plants' })
  await owner.ok('POST', '/api/tags', { name: 'Plant', fields: {} })
  const { key } = await owner.ok('POST', '/api/keys', { name: 'how-to', scope: 'write' })
  writeFileSync(join(service.folder, 'claude'), CLAUDE)
  chmodSync(join(service.folder, 'claude'), 0o755)
  symlinkSync(join(ROOT, 'node_modules'), join(service.folder, 'node_modules'))
  env = {
    ...process.env,
    PATH: `${service.folder}:${process.env.PATH}`,
    FACET_KEY: key,
    key,
    DATABASE_URL: service.database_url,
  }
})
afterAll(() => service.close())

/** As it is printed, but for the address, which stands for one's own. */
const here = (text: string) =>
  text
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):3000/g, service.url)
    .replaceAll('http://127.0.0.1:9464', service.metrics_url!)
    // Without npm, which would take the longest.
    .replace(/npm run (?:-s )?facet --/, 'node scripts/facet.js')
const sh = async (command: string) => (await run('sh', ['-euc', here(command)], { env, cwd: ROOT })).stdout

/** What a client does with an address, and a header where it is given one; the tools that it is offered. */
async function connects(address: string, header?: string): Promise<string[]> {
  const headers = header ? Object.fromEntries([header.split(': ')]) : {}
  const url = new URL(here(address))
  if (!header) {
    // It is told where to ask; the rest is the flow of apps-official-client.test.ts.
    const response = await fetch(url, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
    const [, metadata] = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate')!)!
    const document = await (await fetch(service.url + new URL(metadata!).pathname)).json()
    expect(document).toMatchObject({ resource: expect.stringMatching(/\/api\/mcp$/) })
    return []
  }
  const client = new McpClient({ name: 'how-to', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const { tools } = await client.listTools()
  await client.close()
  expect(tools.length).toBeGreaterThan(20)
  return tools.map(({ name }) => name)
}

describe('connect an agent', () => {
  const PAGE = 'connect-an-agent.md'

  it('Claude Code: how its command is called, and what comes of what it is given', async () => {
    const commands = blocks(PAGE, 'sh').filter((each) => each.startsWith('claude'))
    expect(commands).toHaveLength(2)
    for (const command of commands) {
      const [mcp, add, flag, transport, name, url, ...rest] = (await sh(command)).trim().split('\n')
      expect([mcp, add, flag, transport, name]).toEqual(['mcp', 'add', '--transport', 'http', 'facet'])
      expect(rest.length === 0 || rest[0] === '--header').toBe(true)
      await connects(url!, rest[1])
    }
  })

  it('Cursor and VS Code: their files name an address that asks', async () => {
    const [cursor, code] = blocks(PAGE, 'json').map((each) => JSON.parse(each))
    await connects(cursor.mcpServers.facet.url)
    expect(code.servers.facet.type).toBe('http')
    await connects(code.servers.facet.url)
  })

  it('any client, by a key that the command line prints', async () => {
    const command = blocks(PAGE, 'sh').find((each) => each.includes('key create'))!
    const [key] = /facet_\w{49}/.exec(await sh(command))!
    const offered = await connects('http://localhost:3000/api/mcp', `Authorization: Bearer ${key}`)
    expect(command).toContain('--scope write')
    expect(offered).toEqual(expect.arrayContaining(['get_items', 'add_item']))
  })

  it('a script by curl', async () => {
    const command = blocks(PAGE, 'sh').find((each) => each.startsWith('curl'))!
    const { result } = JSON.parse(await sh(command))
    expect(JSON.parse(result.content[0].text)).toMatchObject([{ name: 'Two plants' }])
  })

  it('a script with the official client', async () => {
    const [script] = blocks(PAGE, 'ts')
    const file = join(service.folder, 'script.ts')
    writeFileSync(file, here(script!))
    const { stdout } = await run(process.execPath, ['--preserve-symlinks', file], {
      env,
      cwd: service.folder,
    })
    expect(stdout).toContain('Plant')
  })
})

describe('watch the service', () => {
  const PAGE = 'watch-the-service.md'

  it('every command, and the line that opens a port', async () => {
    const [ready, start, scraped, byKey] = blocks(PAGE, 'sh')
    expect(JSON.parse(await sh(ready!))).toEqual({ status: 'ok' })
    const [, name, value] = /^(\w+)=(\w+) npm start\n$/.exec(start!)!
    expect(loadConfig({ [name!]: value! }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    for (const command of [scraped!, byKey!])
      expect(parsePrometheus(await sh(command)).size).toBeGreaterThan(15)
    const made = /`(npm run [^`]*key create[^`]*)`/.exec(page(PAGE))![1]!
    expect(await sh(made.replace('EMAIL', 'agent@example.org'))).toMatch(/facet_\w{49}/)
  })

  it('the alarms go by metrics that there are', async () => {
    const told = parsePrometheus(await sh('curl -sf http://127.0.0.1:9464/metrics'))
    const names = blocks(PAGE, 'yaml').flatMap((each) => each.match(/\bfacet_\w+/g) ?? [])
    expect(names.length).toBeGreaterThan(4)
    for (const name of names) expect(told.has(name.replace(/_bucket$/, '')), name).toBe(true)
  })

  it('the headers of the limit are those that are sent', async () => {
    const limited = await startService({ env: { RATE_LIMIT: '600' } })
    const { headers } = await (await limited.user()).get('/api/tags')
    const [printed] = blocks(PAGE)
    for (const line of printed!.trim().split('\n')) {
      const [name = '', value = ''] = line.split(': ')
      const shape = value.replaceAll(/\d+/g, '0')
      expect(headers.get(name)!.replaceAll(/\d+/g, '0')).toBe(shape)
    }
    await limited.close()
  })
})

describe('run a team, over HTTP', () => {
  const PAGE = 'run-a-team.md'

  it('the door is closed as it says', () => {
    const [line] = blocks(PAGE)
    const [name, value] = line!.trim().split('=')
    expect(loadConfig({ [name!]: value }).registration).toEqual({ kind: 'closed' })
  })

  it('every request does what it says', async () => {
    const bob = await service.user('bob@example.org')
    const ids: Record<string, string> = { user_id: (await bob.ok('GET', '/api/auth/me')).user_id }
    const requests = [
      ...page(PAGE).matchAll(/\b(GET|POST|PUT|DELETE) (\/api\/[\w/{}-]+)(?: (\{[^`\n]*\}))?/g),
    ]
    expect(requests.length).toBeGreaterThanOrEqual(6)
    for (const [, method = '', path = '', body] of requests) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
      const given = body && { ...JSON.parse(body) }
      if (given?.email) given.email = 'carol@example.org' // bob is there already
      const answer = await owner.ok(method, filled, given)
      if (answer?.invitation_id) ids.invitation_id = answer.invitation_id
    }
    expect((await bob.get('/api/tags')).status).toBe(401)
  })
})
