import { afterAll, beforeAll, expect, it } from 'vitest'
import { chat, textOf } from '#test/support/events.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { OauthApp, registeredApp } from '#test/support/oauth-app.ts'
import { type Service, startService } from '#test/support/service.ts'

// U+0000, which PostgreSQL takes in no text, where it comes by other ways than JSON that is read exactly.

let provider: ModelProvider
let service: Service
beforeAll(async () => {
  provider = await startModelProvider()
  service = await startService({
    env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: provider.url },
  })
})
afterAll(async () => {
  await service.close()
  await provider.close()
})

it('in the answer of a model is stored as U+FFFD', async () => {
  provider.say({ text: ['a\u0000', 'b'] })
  const ann = await service.user()
  const events = await chat(ann, 'Odd')
  expect(events.at(-1)).toMatchObject({ type: 'done' })
  const [, answer] = await ann.ok('GET', `/api/chats/${events[0].chat_id}/messages`)
  expect(answer.content).toBe(textOf(events))
})

it.each(['\0', 'an-app\0'])('in the id of an app (%j) is the id of none', async (client_id) => {
  const app = new OauthApp(service.url, client_id)
  await app.discover()
  const asked = await fetch(service.url + app.authorizePath(), { redirect: 'manual' })
  expect(asked.status).toBe(400)
  expect(await asked.text()).toContain('client is invalid')
  expect(await app.exchange('a-code')).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect(await app.revoke('a-token')).toBe(401)
})

it('in a tag that an app is narrowed to is refused', async () => {
  const user = await service.user()
  const app = await registeredApp(service.url)
  const { location } = await app.ask(user)
  const { status, text } = await app.answer(user, location!, { tag_id: '\0' })
  expect(status).toBe(400)
  expect(text).toContain('The form must not contain U+0000')
  expect(await app.answer(user, location!, { tag_id: 'no tag' })).toMatchObject({ status: 403 })
})

it('in the challenge of a passkey is one that was never asked', async () => {
  const named = JSON.stringify({ type: 'webauthn.get', challenge: '\0' })
  const clientDataJSON = Buffer.from(named).toString('base64url')
  const response = { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' }
  const credential = { id: 'aGVsbG8', rawId: 'aGVsbG8', type: 'public-key', response }
  expect(await service.client().post('/api/auth/passkey/auth/complete', credential)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('No sign-in with a passkey is pending') },
  })
  const user = await service.user()
  for (const [path, body] of [
    ['passkey/register/complete', { name: 'Key', credential }],
    ['confirm', credential],
  ] as const)
    expect((await user.post(`/api/auth/${path}`, body)).status, path).toBe(400)
})
