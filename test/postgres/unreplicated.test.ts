import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Engine } from '#src/engine/engine.ts'
import { startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { command, type PostgresPair, startPostgresPair, waitFor } from '#test/support/postgres-pair.ts'

let pair: PostgresPair
let engine: Engine

beforeAll(async () => {
  pair = await startPostgresPair({ synchronous: true })
  await preparePostgres(pair.primary_url)
  engine = await startPostgresEngine({
    url: pair.primary_url,
    run: async (db) => Reply.of(await db.select({ sql: 'select 1 as one', parameters: [] })),
    newestId: async () => null,
    log: () => {},
  })
}, 120_000)
afterAll(async () => {
  // Nothing else is written while nobody copies it.
  await command(pair.primary_url, 'alter system reset synchronous_standby_names')
  await command(pair.primary_url, 'select pg_reload_conf()')
  await engine.close()
  await pair.close()
})

const waiting = `from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'`

for (const end of ['cancel', 'terminate'])
  it(`acknowledges no write that only the primary has: ${end}`, { timeout: 60_000 }, async () => {
    await pair.standby.kill()
    const write = engine.write({ name: 'write', caller: SERVICE, input: {}, now: Date.now() })
    const outcome = write.then(
      () => 'acknowledged',
      (error: Error) => error.message,
    )
    await waitFor(pair.primary_url, `select 1 ${waiting}`)
    await command(pair.primary_url, `select pg_${end}_backend(pid) ${waiting}`)
    expect(await outcome).toContain('whether it was made is unknown')
  })
