import { randomBytes } from 'node:crypto'
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

/** As much as most writes need: on a disk that is full less may find room. */
const PROBE_BYTES = 64 * 1024

/** Writes something that `clearProbe` takes away once it is committed: fails where the database takes no writes. */
export async function writeProbe(db: Db): Promise<void> {
  await clearProbe(db)
  await db.run(insertRow, { name: PROBE, value: randomBytes(PROBE_BYTES).toString('hex') })
}

export async function clearProbe(db: Db): Promise<void> {
  await db.run(deleteRow, { name: PROBE })
}
