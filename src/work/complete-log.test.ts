import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { NOBODY } from '#src/domain/caller.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { startSqliteEngine } from '#src/engine/sqlite-engine.ts'
import { enterDraftedEvents } from '#src/operations/audit/audit-steps.ts'
import { withCompleteLog } from '#src/work/complete-log.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { readHasDrafts } from '#src/storage/large/audit-drafts.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { keptThreads } from '#test/support/kept-threads.ts'

/** So many that the events of their deletion wait as drafts. */
const MANY = 5001

let folder: string
let file: string
let inner: Engine

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-whole-log-'))
  file = join(folder, 'facet.db')
  const lock = await prepareSqliteFile(file)
  const started = await startSqliteEngine({
    file,
    startThread: await keptThreads(),
    run: sqlRunner([...sqlOperations, ...sqlSteps]),
    log: () => {},
  })
  inner = { ...started, close: () => started.close().finally(() => lock.release()) }
  await inner.write(callOf(bulkCreate, { items: Array.from({ length: MANY }, (_, i) => `Item ${i}`) }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const callOf = ({ name }: { name: string }, input: object): SqlCall => ({
  name,
  caller: { ...NOBODY, address: '127.0.0.1' },
  input,
  now: Date.parse('2026-02-01T00:00:00.000Z'),
})
const deletion = callOf(bulkDelete, { filter: { name: { starts_with: 'Item' } } })
const isEntering = (call: SqlCall) => call.name === enterDraftedEvents.name

/** Looked at beside the engine: who asks it for the log has the log entered. */
async function expectWhole(events: number): Promise<void> {
  const db = new SqliteConnection(file, { readonly: true })
  try {
    await expect.poll(() => readHasDrafts(db), { timeout: 20_000 }).toBe(false)
    expect(await verifyChain(db)).toMatchObject({ count: events, broken: null })
  } finally {
    db.close()
  }
}

it('enters what is recorded while the last step is being answered', { timeout: 60_000 }, async () => {
  const recorded = Promise.withResolvers<void>()
  let isFirst = true
  const engine: Engine = withCompleteLog({
    ...inner,
    async write(call, limits) {
      const reply = await inner.write(call, limits)
      if (isEntering(call) && !JSON.parse(reply.json).left && isFirst) {
        isFirst = false
        await engine.write(deletion)
        recorded.resolve()
      }
      return reply
    },
  })
  await recorded.promise
  await expectWhole(2 * MANY)
  await engine.close()
})

it('tries again where entering fails, though nobody reads the log', { timeout: 60_000 }, async () => {
  let failures = 3
  const engine = withCompleteLog({
    ...inner,
    write: async (call, limits) => {
      if (isEntering(call) && failures-- > 0) throw unavailable('The connection to the database was lost')
      return inner.write(call, limits)
    },
  })
  await engine.write(deletion)
  await expectWhole(2 * MANY)
  await engine.close()
})
