import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { ULID } from '#test/support/fixtures.ts'
import { type Service, startService } from '#test/support/service.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: Service
let ann: Client
let bob: Client

beforeAll(async () => {
  service = await startService()
  ;[ann, bob] = [await service.user(), await service.user()]
})
afterAll(() => service.close())

describe('a chat', () => {
  it('is created with a title of its own or the default', async () => {
    const chat = await ann.ok('POST', '/api/chats', { title: 'Garden' })
    expect(chat).toEqual({
      chat_id: expect.stringMatching(ULID),
      title: 'Garden',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: chat.created_at,
    })
    expect(await ann.ok('GET', `/api/chats/${chat.chat_id}`)).toEqual(chat)
    expect(await ann.ok('POST', '/api/chats')).toMatchObject({ title: 'New chat' })
    expect(await ann.ok('POST', '/api/chats', { title: null })).toMatchObject({ title: 'New chat' })
  })

  it('is renamed by PUT; without a title nothing changes', async () => {
    const chat = await ann.ok('POST', '/api/chats')
    const path = `/api/chats/${chat.chat_id}`
    expect(await ann.ok('PUT', path)).toEqual(chat)
    expect(await ann.ok('PUT', path, chat)).toEqual(chat)
    const renamed = await ann.ok('PUT', path, { title: 'Renamed' })
    expect(renamed).toEqual({ ...chat, title: 'Renamed', updated_at: expect.stringMatching(TIMESTAMP) })
    expect(renamed.updated_at > chat.updated_at).toBe(true)
  })

  it('is deleted for good', async () => {
    const chat = await ann.ok('POST', '/api/chats')
    const path = `/api/chats/${chat.chat_id}`
    expect(await ann.ok('DELETE', path)).toEqual(chat)
    for (const attempt of [ann.get(path), ann.get(`${path}/messages`), ann.put(path, {}), ann.delete(path)])
      expect(await attempt).toMatchObject({ status: 404, body: { error: 'NotFound' } })
  })

  it('begins without messages', async () => {
    const { chat_id } = await ann.ok('POST', '/api/chats')
    expect(await ann.ok('GET', `/api/chats/${chat_id}/messages`)).toEqual([])
  })

  for (const [why, body] of [
    ['a blank title', { title: ' ' }],
    ['too long a title', { title: 'x'.repeat(1001) }],
    ['a title that is no text', { title: 3 }],
    ['an unknown property', { name: 'x' }],
  ] as const)
    it(`is refused with ${why}`, async () => {
      expect((await ann.post('/api/chats', body)).status).toBe(400)
      const { chat_id } = await ann.ok('POST', '/api/chats')
      expect((await ann.put(`/api/chats/${chat_id}`, body)).status).toBe(400)
    })
})

describe('the list of chats', () => {
  it('has the caller’s own, last updated first', async () => {
    const cleo = await service.user()
    expect(await cleo.ok('GET', '/api/chats')).toEqual([])
    const [first, second] = [await cleo.ok('POST', '/api/chats'), await cleo.ok('POST', '/api/chats')]
    expect(await cleo.ok('GET', '/api/chats')).toEqual([second, first])
    const renamed = await cleo.ok('PUT', `/api/chats/${first.chat_id}`, { title: 'Up' })
    expect(await cleo.ok('GET', '/api/chats')).toEqual([renamed, second])
  })
})

describe('somebody else’s chat', () => {
  const attempts: [string, (path: string) => Promise<{ status: number; body: unknown }>][] = [
    ['read', (path) => bob.get(path)],
    ['listened to', (path) => bob.get(`${path}/messages`)],
    ['renamed', (path) => bob.put(path, { title: 'Mine' })],
    ['deleted', (path) => bob.delete(path)],
    ['continued', (path) => bob.post('/api/chat', { message: 'hi', chat_id: path.split('/').at(-1) })],
  ]
  for (const [verb, attempt] of attempts)
    it(`cannot be ${verb}, and looks like one that never was`, async () => {
      const chat = await ann.ok('POST', '/api/chats')
      const path = `/api/chats/${chat.chat_id}`
      const foreign = await attempt(path)
      expect(foreign.status).toBe(404)
      expect(await ann.ok('GET', path)).toEqual(chat)
      await ann.ok('DELETE', path)
      expect((await attempt(path)).body).toEqual(foreign.body)
    })

  it('is in no list', async () => {
    await ann.ok('POST', '/api/chats')
    expect(await bob.ok('GET', '/api/chats')).toEqual([])
  })
})

describe('without a session', () => {
  for (const [method, path] of [
    ['GET', '/api/chats'],
    ['POST', '/api/chats'],
    ['GET', '/api/chats/x'],
    ['PUT', '/api/chats/x'],
    ['DELETE', '/api/chats/x'],
    ['GET', '/api/chats/x/messages'],
    ['POST', '/api/chat'],
  ] as const)
    it(`${method} ${path} is 401`, async () => {
      expect((await service.client().send(method, path)).status).toBe(401)
    })
})
