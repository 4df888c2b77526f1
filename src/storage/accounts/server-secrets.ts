import { type Db, query } from '#src/sql/query.ts'

const valueOf = query((p: { name: string }, sql) =>
  sql.selectFrom('server_secret').select('value').where('name', '=', p.name),
)
const insertRow = query((p: { name: string; value: string }, sql) =>
  sql
    .insertInto('server_secret')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
)

/** A secret of the service, the same for all its processes and for good; `candidate` becomes it the first time. */
export async function serverSecret(db: Db, name: string, candidate: string): Promise<string> {
  const known = await db.get(valueOf, { name })
  if (known) return known.value
  await db.enqueue(insertRow, { name, value: candidate })
  return (await db.get(valueOf, { name }))!.value
}

const clear = query((_: object, sql) => sql.deleteFrom('server_secret'))

/** For an import that brings others. */
export async function clearServerSecrets(db: Db): Promise<void> {
  await db.enqueue(clear, {})
}

const PROBE = 'probe'
const deleteRow = query((p: { name: string }, sql) =>
  sql.deleteFrom('server_secret').where('name', '=', p.name),
)

/** A row that comes and goes: fails where the database takes no writes. */
export async function probeWriting(db: Db): Promise<void> {
  await db.run(insertRow, { name: PROBE, value: '' })
  await db.run(deleteRow, { name: PROBE })
}
