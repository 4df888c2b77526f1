import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followThrough } from '#test/support/change-stream.ts'
import { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { TEST_ALL } from '#test/support/runs.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'

/** So many that their events wait as drafts (decision 45). */
const ITEMS = 5000
/** Of them, those of which the webhook is told. */
const TOLD = 20
const WRITERS = 4
/** Milliseconds between two writes of one of them, which leave the change most of the processor. */
const PAUSE = 10
const TIMEOUT = 240_000

/** When the service is killed: so long after the change was sent, or as soon as it is answered. */
const KILLS = TEST_ALL ? (['answered', 'answered', 150, 400] as const) : (['answered', 150] as const)

let folder: string
let database: TestDatabase
let receiver: WebhookReceiver
let service: ServiceProcess
let user: Client
let tag_id: string
const leaving = new AbortController()
let followed: ReturnType<typeof followThrough>

async function start(): Promise<void> {
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent', WEBHOOK_PRIVATE: 'true', TEST_ENGINE: '' }
  service = new ServiceProcess({ env })
  const next = new Client(await service.url())
  for (const [name, value] of user?.cookies ?? []) next.cookies.set(name, value)
  user = next
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-large-crash-'))
  database = await testDatabase(folder)
  receiver = new WebhookReceiver()
  await receiver.listen()
  await start()
  await user.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'never lost' })
  ;({ tag_id } = await user.ok('POST', '/api/tags', { name: 'Task', fields: { owner: 'String' } }))
  const tags = [{ tag_ref: { Existing: 'Task' }, field_values: { owner: 'nobody' } }]
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    name: `${i < TOLD ? 'Told' : 'Task'} ${i}`,
    tags,
  }))
  await user.ok('POST', '/api/items/bulk', { items })
  await user.ok('POST', '/api/webhooks', {
    url: receiver.url,
    event_types: ['tag_values_updated'],
    filter: { name: { starts_with: 'Told' } },
  })
}, TIMEOUT)
afterAll(async () => {
  leaving.abort()
  await followed?.stop()
  await service[Symbol.asyncDispose]()
  await receiver.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request under a key until it is answered, over however many processes; fetch throws where one is gone. */
async function insist(path: string, body: object, key: string, once?: () => void) {
  for (;;) {
    const answer = await user.send('POST', path, body, { 'idempotency-key': key }).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error
    })
    once?.()
    // 409: the request of before is still under way.
    if (answer && answer.status !== 409) {
      expect(answer).toMatchObject({ status: 200 })
      return answer
    }
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

describe('kill -9 around changes so large that their events wait as drafts', () => {
  const changes: string[] = []
  const created: string[] = []
  let waiting = 0

  it(
    'each is carried out once, as are the writes beside it',
    async () => {
      followed = followThrough((headers) =>
        user.fetch('/api/changes/stream', { headers, signal: leaving.signal }),
      )
      for (const [n, at] of KILLS.entries()) {
        const under = { way: true }
        const beside = Array.from({ length: WRITERS }, async (_, writer) => {
          for (let i = 0; under.way; i++) {
            const name = `Beside ${n}.${writer}.${i}`
            await insist('/api/items', { name }, name)
            created.push(name)
            await new Promise((resume) => setTimeout(resume, PAUSE))
          }
        })
        const kill = () => void service.child.kill('SIGKILL')
        const body = {
          filter: { has_tag: 'Task' },
          tag_id,
          field_values: { owner: `owner ${n}` },
          merge: true,
        }
        if (at !== 'answered') setTimeout(kill, at)
        const sent = insist(
          '/api/items/bulk-update-fields',
          body,
          `change ${n}`,
          at === 'answered' ? kill : undefined,
        )
        await service.ended
        const [{ drafts }] = (await queryDatabase(
          { database_url: database.url },
          'select count(*) as drafts from audit_draft',
        )) as [{ drafts: number | string }]
        if (Number(drafts)) waiting++
        await start()
        const answer = await sent
        expect(answer.body).toMatchObject({ affected_count: ITEMS, changed_count: ITEMS })
        changes.push(answer.headers.get('x-change-id')!)
        under.way = false
        await Promise.all(beside)
      }
      // Else nothing has been tried.
      expect(waiting).toBeGreaterThan(0)
    },
    TIMEOUT,
  )

  it(
    'nothing is lost and nothing there twice, in the base and in the log, and the chain holds',
    async () => {
      await user.ok('GET', '/api/audit-log/head') // the log is whole when it is read
      const query = (sql: string) => queryDatabase({ database_url: database.url }, sql)
      const made = await query(`select name from item where name like 'Beside%'`)
      expect(made.map(({ name }) => name as string).toSorted()).toEqual(created.toSorted())
      const last = await user.send('POST', '/api/items/search', {
        filter: { 'Task.owner': `owner ${KILLS.length - 1}` },
        limit: 0,
        count: true,
      })
      expect(last.headers.get('x-total-count')).toBe(String(ITEMS))
      const told = await query(
        `select change_id, count(*) as events, count(distinct item_id) as items from audit_event where event_type = 'tag_values_updated' group by change_id order by change_id`,
      )
      const numbers = told.map(({ change_id, events, items }) => [change_id, Number(events), Number(items)])
      expect(numbers).toEqual(changes.map((change_id) => [change_id, ITEMS, ITEMS]))
      expect(await facet(database.url, 'audit', 'verify')).toMatchObject({ code: 0 })
    },
    TIMEOUT,
  )

  it(
    'the stream has told each event once, in order, and the webhook each of its own',
    async () => {
      const log = await queryDatabase(
        { database_url: database.url },
        'select event_id, event_type, item_id from audit_event order by event_id',
      )
      const ids = log.map(({ event_id }) => event_id as string)
      await expect.poll(() => followed.ids.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(ids.length)
      expect(followed.ids).toEqual(ids)

      const mine = new Set(
        (
          await queryDatabase(
            { database_url: database.url },
            `select item_id from item where name like 'Told%'`,
          )
        ).map(({ item_id }) => item_id),
      )
      const wanted = log
        .filter(({ event_type, item_id }) => event_type === 'tag_values_updated' && mine.has(item_id))
        .map(({ event_id }) => event_id as string)
      expect(wanted).toHaveLength(TOLD * KILLS.length)
      const came = () => receiver.received.map(({ event }) => event.event_id)
      await expect.poll(() => new Set(came()).size, { timeout: 60_000 }).toBe(wanted.length)
      expect([...new Set(came())].sort()).toEqual(wanted)
      for (const item_id of mine) {
        const ofItem = receiver.received
          .filter(({ event }) => event.item_id === item_id)
          .map(({ event }) => event.event_id)
        // One is repeated only where the service was killed before it had heard, and before the next of its item.
        expect(ofItem).toEqual(ofItem.toSorted())
      }
      // What was taken twice was under way when the service was killed.
      expect(came().length - wanted.length).toBeLessThanOrEqual(KILLS.length * TOLD)
    },
    TIMEOUT,
  )
})
