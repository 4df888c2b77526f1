import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '#src/operations/index.ts'
import { openApi } from '#src/api/http/openapi/openapi.ts'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

interface Parameter {
  name: string
  in: 'path' | 'query'
}
interface Described {
  parameters: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

const document = openApi(operations) as { paths: Record<string, Record<string, Described>> }
/** It stays open; what it answers to is tested with MCP and with the stream of changes. */
const STREAMS = new Set([
  '/api/mcp/sse',
  '/api/changes/stream',
  '/api/items/search/stream',
  '/api/views/{view_id}/stream',
])
/** JSON-RPC says what is wrong in an answer of 200. */
const isRpc = (path: string) => path.startsWith('/api/mcp')
const isOwners = (path: string) => /^\/api\/(?:users|invitations|webhooks|template)\b/.test(path)

const routes = Object.entries(document.paths)
  .filter(([path]) => !STREAMS.has(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      ...described,
    })),
  )

/** JSON texts that can be kept nowhere: always 400, before any database is asked. */
const UNKEEPABLE: Record<string, string> = {
  'a lone surrogate': '"\\ud800"',
  'U+0000': '"a\\u0000b"',
  'an infinite number': '1e999',
  'a rounded integer': '9007199254740993',
  'a __proto__ key': '{"__proto__":{"polluted":true}}',
  'a hidden __proto__ key': '{"\\u005f_proto__":{"polluted":true}}',
  'deep arrays': '['.repeat(200) + ']'.repeat(200),
  'deep objects': '{"a":'.repeat(5000) + '1' + '}'.repeat(5000),
  'a key twice': '{"a":1,"a":2}',
  'broken JSON': '{"a":',
}

/** JSON texts of every kind; some property may take one or another of them. */
const STRANGE: string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1e308',
  '1.5',
  '9007199254740991',
  '""',
  '" "',
  '"01JJXZ5T7GQ3M8K4B9R2C6D0EF"',
  '"9999-99-99T99:99:99Z"',
  '"\\u202e\\ufeff\\uffff"',
  '"%_*\'\\";--<script>"',
  '"constructor"',
  '"A->B->C->D->E->F->G.x"',
  JSON.stringify('é'.repeat(70_000)),
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '[{"a":1},2,"x"]',
  '{"":{}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2,"hasOwnProperty":3,"length":-1}',
  '{"and":[{"not":{}},{"or":1}]}',
  JSON.stringify(Array.from({ length: 300 }, (_, i) => i)),
]

const PATHS = [
  '%00',
  '%ff',
  '..%2f..%2fetc%2fpasswd',
  '__proto__',
  'constructor',
  "'%20OR%201=1--",
  '%F0%9F%98%80',
  'x'.repeat(3000),
  '%ed%a0%80',
]

describe('hostile input', () => {
  let service: Service
  let user: Client
  let tags = 0
  const before = Reflect.ownKeys(Object.prototype)
  beforeAll(async () => {
    service = await startService()
    user = await service.user()
  })
  afterAll(() => service.close())

  /** A session for the next request: some routes end the one they are called with. */
  async function signedIn(): Promise<Client> {
    if ((await user.get('/api/auth/me')).status !== 200) user = await service.user()
    return user
  }

  async function expectCalm(method: string, path: string, body?: string | Buffer): Promise<number> {
    const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' })
    const response = await user.exchange(method, path, { headers, ...(body !== undefined && { body }) })
    const { text } = response
    const shown = `${method} ${path.slice(0, 100)} ${body?.toString().slice(0, 200)} → ${response.status} ${text.slice(0, 300)}`
    expect(response.status, shown).toBeLessThan(500)
    const rpcError = { jsonrpc: '2.0', error: { code: expect.any(Number), message: expect.any(String) } }
    const error = { error: expect.any(String), message: expect.any(String), path: expect.any(String) }
    if (response.status >= 400)
      expect(JSON.parse(text), shown).toMatchObject(
        isRpc(path) && text.includes('jsonrpc') ? rpcError : error,
      )
    return response.status
  }

  let ids: Record<string, string> = {}

  /** Something of the caller's behind every parameter of a path, so that no request ends at its 404. */
  async function makeEntities(): Promise<void> {
    const { tag_id } = await user.ok('POST', '/api/tags', {
      name: `Tag ${tags++}`,
      fields: { n: 'Number', s: { type: 'Select', variants: ['a', { name: 'b', fields: { d: 'Date' } }] } },
    })
    const { item_id } = await user.ok('POST', '/api/items', {
      name: 'item',
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { n: 1, s: { variant: 'b' }, d: '2026-01-31' } }],
    })
    const { view_id } = await user.ok('POST', '/api/views', { name: 'view', filter: { has_tag: tag_id } })
    const { chat_id } = await user.ok('POST', '/api/chats')
    ids = { item_id, tag_id, view_id, chat_id }
  }

  const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'idp_a')

  for (const { method, path, parameters, requestBody } of routes)
    it(`${method} ${path} stays calm`, async () => {
      await signedIn()
      await makeEntities()
      for (const { name } of parameters.filter((each) => each.in === 'path'))
        for (const value of PATHS) {
          const status = await expectCalm(method, filled(path.replace(`{${name}}`, value)))
          expect(status).toBeGreaterThanOrEqual(400)
        }
      for (const { name } of parameters.filter((each) => each.in === 'query'))
        for (const value of [...PATHS, '', '-1', '1e999', '9007199254740993', `1&${name}=2`])
          await expectCalm(method, `${filled(path)}?${name}=${value}`)
      const example = requestBody?.content['application/json']?.example
      if (example === undefined) return
      for (const [i, [what, text]] of Object.entries(TEST_ENGINE === 'sqlite' ? UNKEEPABLE : {}).entries())
        for (const body of shareOf(variants(example, text), i, runs(10, 3))) {
          const status = await expectCalm(method, filled(path), body)
          // Who may not call is turned away before anything is read.
          if (!isRpc(path) && !(isOwners(path) && status === 403))
            expect([what, body.slice(0, 200), status]).toEqual([what, body.slice(0, 200), 400])
        }
      for (const [i, text] of STRANGE.entries())
        for (const body of shareOf(variants(example, text), i, runs(6, 2)))
          await expectCalm(method, filled(path), body)
      await expectCalm(method, filled(path), Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]))
      await signedIn()
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), async (value) => {
          await expectCalm(method, filled(path), JSON.stringify(value))
        }),
        { numRuns: runs(5, 10) },
      )
    })

  it('changes nothing for others', async () => {
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
    const other = await service.user()
    expect((await other.get('/api/ready')).body).toEqual({ status: 'ok' })
    const { tag_id } = await other.ok('POST', '/api/tags', {
      name: 'Afterwards',
      fields: { constructor: 'String', n: 'Number' },
    })
    const { item_id } = await other.ok('POST', '/api/items', {
      name: 'still fine',
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { constructor: 'x', n: 1 } }],
    })
    const found = await other.ok('POST', '/api/items/search', { filter: { 'Afterwards.constructor': 'x' } })
    expect(found.map((each: { item_id: string }) => each.item_id)).toEqual([item_id])
    expect(found[0].tags[tag_id].field_values).toEqual({ constructor: 'x', n: 1 })
  })
})

/** One of so many parts, so that neighbours of the list take turns: each place meets many texts, each text many places. */
const shareOf = (bodies: readonly string[], turn: number, parts: number) =>
  bodies.filter((_, i) => i % parts === turn % parts)

/** The text alone, and the example with it in the place of each of its values and of an unknown one. */
function variants(example: unknown, text: string): string[] {
  const mark = '\u{1F3AF}'
  const texts = [text]
  const visit = (value: unknown, rebuild: (replaced: unknown) => unknown): void => {
    texts.push(JSON.stringify(rebuild(mark)).replace(JSON.stringify(mark), () => text))
    if (typeof value !== 'object' || value === null) return
    for (const [name, each] of Object.entries(value))
      visit(each, (replaced) =>
        rebuild(
          Array.isArray(value)
            ? value.map((other, i) => (String(i) === name ? replaced : other))
            : { ...value, [name]: replaced },
        ),
      )
  }
  if (typeof example === 'object' && example !== null) {
    for (const [name, each] of Object.entries({ ...example, unknown_property: 1 }))
      visit(each, (replaced) => ({ ...example, [name]: replaced }))
  }
  return texts
}
