import { writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { conflict } from '#src/domain/errors.ts'
import { toReply } from '#src/domain/reply.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import { runSqliteWorker } from '#src/engine/sqlite-worker.ts'
import { threadPort } from '#src/run-worker.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { type Db, query } from '#src/sql/query.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'

/** A worker thread with operations that bring an engine into every situation that its tests want. */

const insertNote = query((p: { note: string }, sql) =>
  sql.insertInto('login_failure').values({ key: p.note, failed_at: '' }),
)
const allNotes = query((_: object, sql) => sql.selectFrom('login_failure').select('key').orderBy('id'))
const COUNT =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) select count(*) as count from n'

type Run = (db: Db, input: Record<string, unknown>, newId: () => string) => Promise<unknown>

const operations: Record<string, Run> = {
  note: async (db, { note }) => void (await db.run(insertNote, { note: note as string })),
  notes: async (db) => (await db.all(allNotes, {})).map(({ key }) => key),
  async noteAndFail(db, { note }) {
    await db.run(insertNote, { note: note as string })
    db.cache.set('notes', note)
    throw conflict('changed its mind')
  },
  async noteAndGoBack(db, { note }) {
    await db.run(insertNote, { note: note as string })
    db.cache.set('notes', note)
    return rolledBack('overtaken')
  },
  async noteAndDie(db, { note }) {
    await db.run(insertNote, { note: note as string })
    process.exit(1)
  },
  die: async () => process.exit(1),
  cached: async (db) => db.cache.get('notes') ?? null,
  remember: async (db, { note }) => void db.cache.set('notes', note),
  id: async (_db, _input, newId) => newId(),
  count: async (db, { limit }) => db.select({ sql: COUNT, parameters: [limit] }),
  async countAndTell(db, { limit, file }) {
    await db.select({ sql: COUNT, parameters: [limit] })
    writeFileSync(file as string, '')
  },
  pragma: async (db, { text }) => (db as SqliteConnection).raw.pragma(text as string, { simple: true }),
}

export const runProbe: SqlRunner = async (db, { name, input }, newId) =>
  toReply(await operations[name]!(db, input as Record<string, unknown>, newId))

if (parentPort)
  runSqliteWorker(threadPort(parentPort), workerData, {
    run: runProbe,
    connect: (file, options) => new SqliteConnection(file, options),
    newestId,
  })
