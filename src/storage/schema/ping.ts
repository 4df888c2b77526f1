import { type Db, query } from '#src/sql/query.ts'

const newestTag = query((_: object, sql) => sql.selectFrom('tag').select('id').orderBy('id', 'desc').limit(1))

/** Reads next to nothing: fails where the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.get(newestTag, {})
}
