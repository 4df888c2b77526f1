import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { runFacet } from '#test/support/facet-command.ts'
import { newSecretKey } from '#test/support/fixtures.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'
import { isSigned, WebhookReceiver } from '#test/support/webhook-receiver.ts'

const KEYS = [newSecretKey(), newSecretKey(), newSecretKey()]
const PRIVATE = { WEBHOOK_PRIVATE: 'true' }
const ACCOUNT = { email: 'ada@example.org', password: 'correct horse' }
/** Commands and starts on a busy machine. */
const TIMEOUT = 120_000

let receiver: WebhookReceiver
const folder = mkdtempSync(join(tmpdir(), 'facet-webhooks-'))
const databases: TestDatabase[] = []

beforeAll(async () => {
  receiver = new WebhookReceiver()
  await receiver.listen()
})
afterEach(() => receiver.forget())
afterAll(async () => {
  await receiver.close()
  for (const each of databases) await each.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function newDatabase(): Promise<string> {
  const database = await testDatabase(mkdtempSync(join(folder, 'database-')))
  databases.push(database)
  return database.url
}

async function serve<T>(
  url: string,
  SECRET_KEY: string,
  use: (client: Client, service: Service) => Promise<T>,
) {
  const service = await startService({ env: { ...PRIVATE, DATABASE_URL: url, SECRET_KEY } })
  try {
    const client = service.client()
    if ((await client.post('/api/auth/login', ACCOUNT)).status !== 200)
      await client.ok('POST', '/api/auth/register', ACCOUNT)
    return await use(client, service)
  } finally {
    await service.close()
  }
}
const command = (url: string, SECRET_KEY: string, ...words: string[]) => runFacet(url, words, { SECRET_KEY })
const stored = (database_url: string) => queryDatabase({ database_url }, 'select secret from webhook')

describe('the secret of a webhook', () => {
  it(
    'is sealed, changes over to a new key, and goes on signing; without its key a delivery says so',
    async () => {
      const url = await newDatabase()
      const [first, second, third] = KEYS as [string, string, string]
      const made = await serve(url, first, (client) =>
        client.ok('POST', '/api/webhooks', { url: receiver.url }),
      )
      const before = await stored(url)
      expect(before).toEqual([{ secret: expect.stringMatching(/^sealed1:/) }])
      await serve(url, `${second},${first}`, () => Promise.resolve())
      expect(await stored(url)).not.toEqual(before)
      await serve(url, second, async (client) => {
        await client.ok('POST', '/api/items', { name: 'One' })
        const [received] = await receiver.take(1)
        expect(isSigned(received!, made.secret)).toBe(true)
      })
      await serve(url, third, async (client) => {
        expect(await client.ok('POST', `/api/webhooks/${made.webhook_id}/test`)).toMatchObject({
          status: 'failed',
          error: 'the key that its secret is encrypted with is not here (SECRET_KEY)',
        })
      })
      const env = { DATABASE_URL: url, SECRET_KEY: third, LOG_LEVEL: 'warn', TEST_ENGINE: '' }
      await using started = new ServiceProcess({ env })
      await started.url()
      await expect
        .poll(() => started.stderr)
        .toContain('The secrets of 1 webhook are encrypted with a key that is not here')
    },
    TIMEOUT,
  )

  it(
    'moves with an export of accounts; the webhook waits there, and goes on where it stood',
    async () => {
      const [here, there] = [await newDatabase(), await newDatabase()]
      const [key, other] = KEYS as [string, string]
      const made = await serve(here, key, async (client) => {
        const webhook = await client.ok('POST', '/api/webhooks', { url: receiver.url })
        await client.ok('POST', '/api/items', { name: 'Here' })
        await receiver.take(1)
        await client.ok('PUT', `/api/webhooks/${webhook.webhook_id}`, { enabled: false })
        await client.ok('POST', '/api/items', { name: 'Between' })
        await client.ok('PUT', `/api/webhooks/${webhook.webhook_id}`, { url: `${receiver.url}/moved` })
        return webhook
      })
      const file = join(folder, 'export.jsonl')
      expect(await command(here, key, 'export', '--accounts', '--out', file)).toMatchObject({ code: 0 })
      expect(readFileSync(file, 'utf8')).toContain(made.secret)
      expect(await command(there, other, 'import', file)).toMatchObject({ code: 0 })
      expect(await stored(there)).toEqual([{ secret: expect.stringMatching(/^sealed1:/) }])
      receiver.forget()
      await serve(there, other, async (client) => {
        const [webhook] = await client.ok('GET', '/api/webhooks')
        expect(webhook).toMatchObject({ webhook_id: made.webhook_id, enabled: false })
        await client.ok('PUT', `/api/webhooks/${made.webhook_id}`, { enabled: true })
        const [received] = await receiver.take(1)
        expect(received).toMatchObject({ path: '/hook/moved', event: { details: { name: 'Between' } } })
        expect(isSigned(received!, made.secret)).toBe(true)
        await client.ok('POST', '/api/items', { name: 'There' })
        expect((await receiver.take(2))[1]!.event.details).toMatchObject({ name: 'There' })
      })
    },
    TIMEOUT,
  )

  it(
    'comes disabled with an import, whatever it was',
    async () => {
      const [here, there] = [await newDatabase(), await newDatabase()]
      const key = KEYS[0]!
      await serve(here, key, (client) => client.ok('POST', '/api/webhooks', { url: receiver.url }))
      const file = join(folder, 'enabled.jsonl')
      expect(await command(here, key, 'export', '--accounts', '--out', file)).toMatchObject({ code: 0 })
      expect(await command(there, key, 'import', file)).toMatchObject({ code: 0 })
      await serve(there, key, async (client) => {
        const [webhook] = await client.ok('GET', '/api/webhooks')
        expect(webhook).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('import') })
      })
    },
    TIMEOUT,
  )
})

describe('a redacted item', () => {
  it(
    'is sent as the log has it now, and what was delivered of it is forgotten',
    async () => {
      const url = await newDatabase()
      await serve(url, KEYS[0]!, async (client) => {
        const { webhook_id } = await client.ok('POST', '/api/webhooks', { url: receiver.url })
        const path = `/api/webhooks/${webhook_id}/deliveries`
        const { item_id } = await client.ok('POST', '/api/items', { name: 'Secret' })
        await receiver.take(1)
        await expect.poll(async () => (await client.ok('GET', path))[0].status).toBe('delivered')
        receiver.answer = () => 500
        await client.ok('PUT', `/api/items/${item_id}`, { name: 'Whispered' })
        await receiver.take(2)
        expect(await command(url, KEYS[0]!, 'audit', 'redact', '--item', item_id)).toMatchObject({ code: 0 })
        expect(receiver.received[1]!.body).toContain('Whispered')
        receiver.forget()
        await expect
          .poll(async () => (await receiver.take(2, 20_000)).map(({ event }) => event.event_type), {
            timeout: 30_000,
          })
          .toEqual(['item_updated', 'audit_redacted'])
        expect(receiver.received[0]!.event).toMatchObject({ details: {}, redacted: true })
        expect(receiver.received[0]!.body).not.toContain('Whispered')
        const left = (await client.ok('GET', path)) as { event_type: string }[]
        expect(left.map(({ event_type }) => event_type)).toEqual(['audit_redacted', 'item_updated'])
      })
    },
    TIMEOUT,
  )
})
