import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { CountingClients } from '#test/support/counting-clients.ts'
import { command, type PostgresPair, promote, startPostgresPair } from '#test/support/postgres-pair.ts'
import { ServiceProcess } from '#test/support/process.ts'

const WRITERS = 16
/** Milliseconds of writing before the primary is killed, and after writes have come back. */
const WRITE_FOR = 3000
/** Writes must come back within so long (milliseconds) after the standby was promoted. */
const BACK_WITHIN = 30_000

let pair: PostgresPair
let service: ServiceProcess
let user: Client
let clients: CountingClients

beforeAll(async () => {
  pair = await startPostgresPair({ synchronous: true })
  service = new ServiceProcess({ env: { DATABASE_URL: pair.url, LOG_LEVEL: 'warn' } })
  user = new Client(await service.url())
  await user.ok('POST', '/api/auth/register', { email: 'failover@example.org', password: 'never lost' })
  clients = await CountingClients.prepare(user)
}, 120_000)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await pair.close()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('the primary is killed amid writes and the standby promoted', () => {
  it('writes come back without a restart', { timeout: 120_000 }, async () => {
    let done = false
    const writing = Array.from({ length: WRITERS }, () => clients.write(user, { until: () => done }))
    await pause(WRITE_FOR)
    const before = clients.known.length
    expect(before).toBeGreaterThan(WRITERS)
    await pair.primary.kill()
    await pause(500) // nobody notices at once
    const promoted = performance.now()
    await promote(pair)
    while (clients.lastAcknowledged < promoted) {
      expect(performance.now() - promoted).toBeLessThan(BACK_WITHIN)
      await pause(20)
    }
    process.stdout.write(
      `writes were back ${Math.round(clients.lastAcknowledged - promoted)} ms after the promotion; ` +
        `${clients.refused} were refused meanwhile\n`,
    )
    await pause(WRITE_FOR)
    done = true
    await Promise.all(writing)
    expect(clients.known.length).toBeGreaterThan(before + WRITERS)
    expect(clients.refused).toBeGreaterThan(0)
  })

  it('no acknowledged write is lost', { timeout: 120_000 }, async () => {
    await clients.checkAcknowledged(user)
    const acknowledged = clients.known.reduce((sum, each) => sum + 1 + each.acknowledged, 0)
    process.stdout.write(`${acknowledged} acknowledged writes are there\n`)
  })

  it('none was made twice, and each has its event', async () => {
    const rows = (sql: string) => command(pair.standby_url, sql)
    const items = (await rows('select item_id from item order by 1')) as { item_id: string }[]
    expect(
      await rows(`select item_id from audit_event where event_type = 'item_created' order by 1`),
    ).toEqual(items)
    // What was refused as unknown may be there; what was answered is there once.
    const stored = new Set(items.map(({ item_id }) => item_id))
    expect(clients.known.filter(({ item_id }) => !stored.has(item_id))).toEqual([])
    // No client sends a name again, so a name that is there twice was applied twice.
    expect(await rows('select name from item group by name having count(*) > 1')).toEqual([])
    expect(new Set(clients.known.map(({ item_id }) => item_id)).size).toBe(clients.known.length)
    expect(
      await rows(
        `select item_id, count(*)::int as n from audit_event where event_type = 'tag_values_updated'
          group by item_id, details having count(*) > 1`,
      ),
    ).toEqual([])
  })
})
