import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { chat, eventsOf, openChat, textOf } from '#test/support/events.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { command } from '#test/support/postgres-pair.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

describe('a chat of one account at two processes', () => {
  let database: TestDatabase
  let provider: ModelProvider
  let services: Service[]
  let here: Client
  let there: Client
  beforeAll(async () => {
    database = await testDatabase(tmpdir())
    provider = await startModelProvider()
    const env = {
      DATABASE_URL: database.url,
      LLM_PROVIDER: 'openai-compatible',
      LLM_MODEL: 'scripted',
      LLM_BASE_URL: provider.url,
    }
    services = [await startService({ env }), await startService({ env })]
    here = await services[0]!.user()
    there = new Client(services[1]!.url)
    for (const [name, value] of here.cookies) there.cookies.set(name, value)
  })
  afterAll(async () => {
    for (const service of services) await service.close()
    await provider.close()
    await database.drop()
  })

  /** A chat in which one process answers until `finish`. */
  async function answering(text: string, next = 'Second') {
    const { promise, resolve: finish } = Promise.withResolvers<void>()
    provider.say({ text: [text], after: promise }, { text: [next] })
    const { chat_id } = await here.ok('POST', '/api/chats')
    const first = eventsOf(await openChat(here, { message: 'One', chat_id }))
    const end = async () => {
      finish()
      for await (const _ of first);
    }
    const messages = async () => {
      const all: { content: string }[] = await there.ok('GET', `/api/chats/${chat_id}/messages`)
      return all.map(({ content }) => content)
    }
    return { chat_id, end, messages }
  }

  it('is answered by one of them at a time: 409', async () => {
    const { chat_id, end, messages } = await answering('First')
    const refused = await openChat(there, { message: 'Two', chat_id })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('still answering') })
    expect(await messages()).toEqual(['One'])
    await end()
    expect(textOf(await chat(there, { message: 'Two', chat_id }))).toBe('Second')
    provider.say({ text: ['Third'] })
    expect(textOf(await chat(here, { message: 'Three', chat_id }))).toBe('Third')
    expect(await messages()).toEqual(['One', 'First', 'Two', 'Second', 'Three', 'Third'])
  })

  it('is answered by the second where the first is about to end', async () => {
    const { chat_id, end, messages } = await answering('First')
    const second = chat(there, { message: 'Two', chat_id })
    await end()
    expect(textOf(await second)).toBe('Second')
    expect(await messages()).toEqual(['One', 'First', 'Two', 'Second'])
  })

  it('is answered by the second where the first process is gone', async () => {
    const { chat_id, end } = await answering('First')
    // As the next heartbeat of the other one does a minute after the last sign of life.
    await command(database.url, 'delete from process')
    expect(textOf(await chat(there, { message: 'Two', chat_id }))).toBe('Second')
    await end()
  })

  it('is not there for another account, whoever answers in it', async () => {
    const { chat_id, end } = await answering('First')
    const other = await services[1]!.user()
    for (const id of [chat_id, 'no id', 'x'.repeat(2000)])
      expect((await openChat(other, { message: 'Two', chat_id: id })).status).toBeOneOf([400, 404])
    await end()
  })
})
