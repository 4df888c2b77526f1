import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { chat } from '#test/support/events.ts'
import { postMessage } from '#test/support/mcp.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { registeredApp } from '#test/support/oauth-app.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'

/** What somebody who was lowered to reader may try: everything here was right while they were an editor. */
interface Base {
  rea: Client
  key: Client
  app: Client
  item: string
  deleted: string
  tag: string
  /** A change of their own. */
  change: string
}

let provider: ModelProvider
let service: Service
let owner: Client
let base: Base

const NEW = { name: 'By a reader' }
const REPLAYED = { 'idempotency-key': 'before-he-was-lowered' }

beforeAll(async () => {
  provider = await startModelProvider()
  service = await startService({
    env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: provider.url },
  })
  owner = await service.user()
  const rea = await service.user()
  const { tag_id: tag } = await rea.ok('POST', '/api/tags', { name: 'Task', fields: { n: 'Number' } })
  const made = await rea.post('/api/items', { name: 'One', tags: [{ tag_ref: { Existing: tag } }] }, REPLAYED)
  const { item_id: deleted } = await rea.ok('POST', '/api/items', { name: 'Two' })
  await rea.ok('DELETE', `/api/items/${deleted}`)
  const { key } = await rea.ok('POST', '/api/keys', { name: 'x', scope: 'write' })
  const { access_token } = await (await registeredApp(service.url)).tokens(rea, { scope: 'write' })
  const { user_id } = await rea.ok('GET', '/api/auth/me')
  await owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
  base = {
    rea,
    key: new TokenClient(service.url, key),
    app: new TokenClient(service.url, access_token),
    item: made.body.item_id,
    change: made.headers.get('x-change-id')!,
    deleted,
    tag,
  }
})
afterAll(async () => {
  await service.close()
  await provider.close()
})

const refused = async (answer: Promise<{ status: number; body: unknown }>) =>
  expect(await answer).toMatchObject({ status: 403, body: { error: 'Forbidden' } })
const call = (name: string, args: object, id: object = { id: 1 }) => ({
  jsonrpc: '2.0',
  ...id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const failed = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { body } = await answer
  expect(JSON.stringify(body)).toContain('Your role is reader')
}
const operation = { operation: 'createItem', input: NEW }

const ATTEMPTS: readonly [what: string, attempt: (base: Base) => Promise<unknown>][] = [
  ['a batch', ({ rea }) => refused(rea.post('/api/batch', { operations: [operation] }))],
  [
    'a batch that only looks',
    ({ rea }) => refused(rea.post('/api/batch', { operations: [operation], dry_run: true })),
  ],
  ['an import of many items', ({ rea }) => refused(rea.post('/api/items/bulk', [NEW]))],
  [
    'an import that matches by name',
    ({ rea }) => refused(rea.put('/api/items/upsert', { match: { name: 'One' }, name: 'Mine' })),
  ],
  [
    'a change of whatever a filter finds',
    ({ rea, tag }) =>
      refused(
        rea.post('/api/items/bulk-update-fields', {
          filter: { search: '' },
          tag_id: tag,
          field_values: { n: 1 },
        }),
      ),
  ],
  [
    'a deletion that only looks',
    ({ rea }) => refused(rea.post('/api/items/bulk-delete', { filter: { search: '' }, dry_run: true })),
  ],
  ['what is deleted', ({ rea, deleted }) => refused(rea.post(`/api/items/${deleted}/restore`))],
  [
    'what is deleted, for good',
    ({ rea, deleted }) => refused(rea.post('/api/items/purge', { item_ids: [deleted] })),
  ],
  [
    'taking back his own change',
    ({ rea, change }) => refused(rea.post('/api/changes/undo', { change_ids: [change] })),
  ],
  [
    'a request that was answered once',
    ({ rea, tag }) =>
      refused(rea.post('/api/items', { name: 'One', tags: [{ tag_ref: { Existing: tag } }] }, REPLAYED)),
  ],
  [
    'another method by a header',
    async ({ rea, item }) => {
      const headers = {
        'x-http-method-override': 'DELETE',
        'x-method-override': 'DELETE',
        'x-http-method': 'DELETE',
      }
      expect((await rea.get(`/api/items/${item}`, headers)).status).toBe(200)
      expect((await rea.post(`/api/items/${item}?_method=DELETE`, {}, headers)).status).toBe(405)
    },
  ],
  ['a key from before', ({ key }) => refused(key.post('/api/items', NEW))],
  ['an app from before', ({ app }) => refused(app.post('/api/items', NEW))],
  ['a tool over MCP', ({ rea }) => failed(postMessage(rea, call('add_item', NEW)))],
  [
    'a tool over MCP, by key',
    ({ key }) => failed(postMessage(key, call('batch', { operations: [operation] }))),
  ],
  ['a tool over MCP, by app', ({ app }) => failed(postMessage(app, call('add_item', NEW)))],
  ['a tool that is told as a notification', ({ rea }) => postMessage(rea, call('add_item', NEW, {}))],
  ['many messages at once', ({ rea }) => postMessage(rea, [call('add_item', NEW)])],
  [
    'a tool over Streamable HTTP',
    async ({ key }) => {
      const accept = { accept: 'application/json, text/event-stream' }
      const { body } = await key.post('/api/mcp', call('add_item', NEW), accept)
      expect(JSON.stringify(body)).toContain('Your role is reader')
    },
  ],
  [
    'the assistant, whatever it calls',
    async ({ rea }) => {
      const calls = [
        { name: 'add_item', arguments: NEW },
        { name: 'batch', arguments: { operations: [operation] } },
        { name: 'purge_deleted_items', arguments: {} },
      ]
      provider.say({ text: ['I do.'], calls }, { text: ['No.'] })
      const events = await chat(rea, 'Add it')
      const results = events.filter(({ type, result }) => type === 'tool_call' && (result ?? null) !== null)
      expect(results).toHaveLength(3)
      for (const each of results) expect(JSON.stringify(each)).toContain('There is no tool')
    },
  ],
]

/** Everything that anybody could have changed. */
const everything = async () => ({
  items: await owner.ok('POST', '/api/items/search', {}),
  deleted: await owner.ok('GET', '/api/items/deleted'),
  tags: await owner.ok('GET', '/api/tags'),
  head: await owner.ok('GET', '/api/audit-log/head'),
})

for (const [what, attempt] of ATTEMPTS)
  it(`a reader finds no way to write: ${what}`, async () => {
    const before = await everything()
    await attempt(base)
    expect(await everything()).toEqual(before)
  })

it('a program is told that a dry run is a change, a person in a session is not', async () => {
  const message = async (by: Client | TokenClient) => (await by.post('/api/items', NEW)).body.message
  expect(await message(base.rea)).toBe('Your role is reader: you may read everything, but not change it')
  for (const by of [base.key, base.app]) expect(await message(by)).toMatch(/\(a dry run is a change\)$/)
})
