import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { facet } from '#test/support/facet-command.ts'
import { startService, type Service } from '#test/support/service.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const SHOWN: Record<string, () => Promise<string>> = {
  OpenAPI: async () => (await client.ok('GET', '/api/openapi.json')).info.version,
  'GET /api/service': async () => (await client.ok('GET', '/api/service')).version,
  'the MCP server': async () =>
    (await client.ok('POST', '/api/mcp/message', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }))
      .result.serverInfo.version,
  'facet_info in the metrics': async () =>
    /^facet_info\{.*?version="([^"]+)"/m.exec((await client.get('/metrics')).body as string)![1]!,
  'the command line': async () => (await facet(service.database_url, '--version')).out.trim(),
}

it.each(Object.entries(SHOWN))('the version of the package is that of %s', async (_, shown) => {
  expect(await shown()).toBe(version)
})
