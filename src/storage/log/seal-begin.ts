import { type Db, query } from '#src/sql/query.ts'

/** Under which `Db.cache` has the hash after which the log is sealed. */
export const SEALED_AFTER = 'audit log sealed after'

const select = query((_: object, sql) => sql.selectFrom('audit_seal').select('after'))
const update = query((p: { after: string }, sql) => sql.updateTable('audit_seal').set({ after: p.after }))

/** As the database has it. */
export const readSealedAfter = async (db: Db): Promise<string> => (await db.get(select, {}))!.after

/** The hash of the last event whose state nothing vouches for; that of the beginning where there is none. */
export async function sealedAfter(db: Db): Promise<string> {
  if (!db.cache.has(SEALED_AFTER)) db.cache.set(SEALED_AFTER, await readSealedAfter(db))
  return db.cache.get(SEALED_AFTER) as string
}

/** For an import, which brings the log of another base. */
export async function setSealedAfter(db: Db, after: string): Promise<void> {
  await db.run(update, { after })
  db.cache.set(SEALED_AFTER, after)
}
