import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { eventsOf, openChat } from '#test/support/events.ts'
import { facet } from '#test/support/facet-command.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { type Service, startService } from '#test/support/service.ts'

const PASSWORD = 'correct horse'

let provider: ModelProvider
let service: Service
let owner: Client
const start = () =>
  startService({
    env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: provider.url },
  })
beforeAll(async () => {
  provider = await startModelProvider()
  service = await start()
  owner = await service.user()
})
afterAll(async () => {
  await service.close()
  await provider.close()
})

const signedIn = async (at: Service, email: string) => {
  const client = at.client()
  await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
  return client
}

/** A chat that is being answered in one session, until `finish`, and another session that has sent it a message. */
async function waitingMessage(at: Service, email: string) {
  const here = await at.user(email, PASSWORD)
  const there = await signedIn(at, email)
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  provider.say({ text: ['First'], after: finished }, { text: ['Second'] })
  const { chat_id } = await here.ok('POST', '/api/chats')
  const first = eventsOf(await openChat(here, { message: 'One', chat_id }))
  const leaving = new AbortController()
  const second = openChat(there, { message: 'Two', chat_id }, { signal: leaving.signal })
  // Of one that leaves.
  second.catch(() => undefined)
  await sleep(300)
  /** The contents of the chat's messages once both are over. */
  const stored = async (by: Client) => {
    finish()
    for await (const _ of first);
    await second.catch(() => undefined)
    await sleep(300)
    const messages: { content: string }[] = await by.ok('GET', `/api/chats/${chat_id}/messages`)
    return messages.map(({ content }) => content)
  }
  return { here, there, second, finish, leave: () => leaving.abort(), stored }
}

describe('a message that waits for its turn in a chat', () => {
  it('is answered when the answer before it has ended', async () => {
    const { here, finish, second, stored } = await waitingMessage(service, 'waits@example.org')
    finish()
    expect((await second).status).toBe(200)
    await (await second).text()
    expect(await stored(here)).toEqual(['One', 'First', 'Two', 'Second'])
  })

  const ends: [what: string, end: (email: string, there: Client) => Promise<unknown>][] = [
    ['signs out', (_, there) => there.ok('POST', '/api/auth/logout')],
    [
      'is disabled by an owner',
      async (email) => {
        const users: { user_id: string; email: string }[] = await owner.ok('GET', '/api/users')
        const { user_id } = users.find((each) => each.email === email)!
        await owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })
        await owner.ok('PUT', `/api/users/${user_id}`, { disabled: false })
      },
    ],
    [
      'loses all sessions to an operator',
      (email) => facet(service.database_url, 'user', 'end-sessions', email),
    ],
  ]
  for (const [n, [what, end]] of ends.entries())
    it(`is refused and not stored where its sender ${what}: 401`, async () => {
      const email = `ends-${n}@example.org`
      const { there, second, stored, finish } = await waitingMessage(service, email)
      await end(email, there)
      finish()
      const answer = await second
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ error: 'Unauthorized', path: '/api/chat' })
      expect(await stored(await signedIn(service, email))).not.toContain('Two')
      expect(JSON.stringify(provider.requests.map(({ body }) => body))).not.toContain('Two')
    })

  it('is not stored where its client has left', async () => {
    const { here, leave, stored } = await waitingMessage(service, 'leaves@example.org')
    leave()
    expect(await stored(here)).toEqual(['One', 'First'])
    expect(provider.requests).toHaveLength(1)
  })

  it('is refused where the service stops, at once: 503', async () => {
    const stopped = await start()
    const { second, finish } = await waitingMessage(stopped, 'stopped@example.org')
    const closed = stopped.close()
    expect((await second).status).toBe(503)
    finish()
    await closed
    expect(provider.requests).toHaveLength(1)
  })
})
