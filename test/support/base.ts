import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Static, TObject, TSchema } from 'typebox'
import { type Caller, NOBODY } from '#src/domain/caller.ts'
import { type ReplyMeta, toReply } from '#src/domain/reply.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { type Transactional, withinTransaction } from '#src/engine/transaction.ts'
import type { SqlOperation, Step } from '#src/runtime/operation.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import type { Db } from '#src/sql/query.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'
import { enterDrafts } from '#src/storage/large/audit-drafts.ts'
import { migratedFile } from '#test/support/test-database.ts'

/** Operations run on a connection directly, each write in a transaction. */
export type Base = ReturnType<typeof baseOn>

/** A migrated SQLite file of its own and operations run on it directly, each write in a transaction. */
export const openBase = async () => openCopy(await migratedFile())

/** The same on a copy of a file; its clock goes on where that of the file ended. */
function openCopy(from: string, now?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'facet-base-'))
  const file = join(folder, 'facet.db')
  copyFileSync(from, file)
  const db = new SqliteConnection(file)
  // No test of these asks whether a disk is flushed, which takes longer than most of them.
  db.exec('PRAGMA synchronous = OFF')
  const base = baseOn(db, now)
  return {
    ...base,
    db,
    folder,
    /** Another base which is as this one is now. */
    copy() {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return openCopy(file, Date.parse(base.lastTime()) + 1)
    },
    close() {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function baseOn(db: Transactional, start = Date.parse('2026-01-31T09:30:00.000Z')) {
  const source = ulidSource()
  let now = start
  const caller: Caller = { ...NOBODY, address: '127.0.0.1' }

  async function answer<I extends TObject, O extends TSchema>(
    operation: SqlOperation<I, O>,
    input: Static<I>,
    planned?: string,
  ) {
    return carryOut(operation, await validateInput(operation, input), planned)
  }

  function contextNow() {
    const time = now++
    return { db, caller, now: new Date(time), time_zone: 'UTC', newId: () => source(time) }
  }

  function carryOut(operation: SqlOperation | Step, clean: Record<string, unknown>, planned?: string) {
    const context = { ...contextNow(), planned }
    const run = () => runSql(operation, context, clean)
    if (operation.effect === 'read') return run()
    const write = async () => {
      const reply = await run()
      while (await enterDrafts(db));
      return reply
    }
    return withinTransaction(db, db.dialect.begin.write, write)
  }

  return {
    db: db as Db,
    caller,
    /** When the last call was carried out. */
    lastTime: () => new Date(now - 1).toISOString(),
    /** The operation's answer, parsed; `planned`: what `plan` gave before. */
    async run<I extends TObject, O extends TSchema>(
      operation: SqlOperation<I, O>,
      input: Static<I>,
      planned?: string,
    ): Promise<Static<O>> {
      return JSON.parse((await answer(operation, input, planned)).json)
    },
    /** What is worked out of a change before the writer has its turn. */
    async plan<I extends TObject, O extends TSchema>(
      operation: SqlOperation<I, O>,
      input: Static<I>,
    ): Promise<string> {
      const context = contextNow()
      const change = new OpenChange(operation.name, context.newId)
      return toReply(await operation.plan!({ ...context, change }, input)).json
    },
    /** The same of a step. */
    async runStep<I extends object, O>(step: Step<I, O>, input: I): Promise<O> {
      return JSON.parse((await carryOut(step, input as Record<string, unknown>)).json)
    },
    async meta<I extends TObject, O extends TSchema>(
      operation: SqlOperation<I, O>,
      input: Static<I>,
    ): Promise<ReplyMeta> {
      return (await answer(operation, input)).meta ?? {}
    },
  }
}
