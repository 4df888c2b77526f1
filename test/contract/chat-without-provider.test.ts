import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { chat } from '#test/support/events.ts'
import { ULID } from '#test/support/fixtures.ts'
import { startService } from '#test/support/service.ts'

for (const [provider, variable, env] of [
  ['openai', 'LLM_API_KEY', {}],
  ['anthropic', 'LLM_API_KEY', {}],
  ['openai-compatible', 'LLM_MODEL', { LLM_BASE_URL: 'http://127.0.0.1:9/v1' }],
] as const)
  it.concurrent(`${provider}: the stream says to set ${variable}, and the question is kept`, async () => {
    const service = await startService({ env: { LLM_PROVIDER: provider, ...env } })
    const ann = await service.user()
    const events = await chat(ann, 'Hello?')
    expect(events).toEqual([
      { type: 'chat_session', chat_id: expect.stringMatching(ULID) },
      { type: 'error', message: expect.stringContaining(variable) },
    ])
    const messages = await ann.ok('GET', `/api/chats/${events[0].chat_id}/messages`)
    expect(messages).toMatchObject([{ content: 'Hello?' }])
    await service.close()
  })

// It is asked three times, with seconds between.
it.concurrent('a provider that cannot be reached is an error that says so', { timeout: 60_000 }, async () => {
  const LLM_BASE_URL = `http://127.0.0.1:${await deadPort()}/v1`
  const service = await startService({
    env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL },
  })
  const events = await chat(await service.user(), 'Hello?')
  expect(events.at(-1)).toEqual({ type: 'error', message: expect.stringMatching(/failed: .*connect/i) })
  await service.close()
})

/** Where nothing listens any more. */
async function deadPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
