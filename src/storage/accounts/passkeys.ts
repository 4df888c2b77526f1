import type { Ulid } from '#src/domain/ulid.ts'
import type { StoredPasskey } from '#src/auth/passkey.ts'
import { type Db, query } from '#src/sql/query.ts'

export interface Passkey extends StoredPasskey {
  user_id: Ulid
  name: string
  created_at: string
  /** When a session added it that had not proved itself; null: it proves who somebody is. */
  unproven_at: string | null
}

const COLUMNS = [
  'credential_id',
  'user_id',
  'name',
  'public_key',
  'counter',
  'transports',
  'created_at',
  'unproven_at',
] as const

const rowsOf = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('passkey')
    .select(COLUMNS)
    .where('user_id', '=', p.user_id)
    .orderBy('created_at')
    .orderBy('credential_id'),
)
const byId = query((p: { credential_id: string }, sql) =>
  sql.selectFrom('passkey').select(COLUMNS).where('credential_id', '=', p.credential_id),
)
const insertRow = query((p: Omit<Passkey, 'transports'> & { transports: string }, sql) =>
  sql
    .insertInto('passkey')
    .values({
      credential_id: p.credential_id,
      user_id: p.user_id,
      name: p.name,
      public_key: p.public_key,
      counter: p.counter,
      transports: p.transports,
      created_at: p.created_at,
      unproven_at: p.unproven_at,
    })
    .onConflict((conflict) => conflict.doNothing()),
)
const moveCounter = query((p: { credential_id: string; from: number; to: number }, sql) =>
  sql
    .updateTable('passkey')
    .set({ counter: p.to })
    .where('credential_id', '=', p.credential_id)
    .where('counter', '=', p.from),
)
const proveRow = query((p: { credential_id: string }, sql) =>
  sql.updateTable('passkey').set({ unproven_at: null }).where('credential_id', '=', p.credential_id),
)
const deleteRow = query((p: { user_id: Ulid; credential_id: string }, sql) =>
  sql.deleteFrom('passkey').where('user_id', '=', p.user_id).where('credential_id', '=', p.credential_id),
)
const deleteRows = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('passkey').where('user_id', '=', p.user_id),
)

const parse = <Row extends { transports: string }>(row: Row) => ({
  ...row,
  transports: JSON.parse(row.transports) as string[],
})

/** Oldest first. */
export async function passkeysOf(db: Db, user_id: Ulid): Promise<Passkey[]> {
  return (await db.all(rowsOf, { user_id })).map(parse)
}

export async function findPasskey(db: Db, credential_id: string): Promise<Passkey | undefined> {
  const row = await db.get(byId, { credential_id })
  return row && parse(row)
}

/** False: the credential is known already. */
export async function insertPasskey(db: Db, passkey: Passkey): Promise<boolean> {
  const transports = JSON.stringify(passkey.transports)
  return (await db.run(insertRow, { ...passkey, transports })).changes > 0
}

/** False: the counter is not `from` any more. */
export async function movePasskeyCounter(
  db: Db,
  credential_id: string,
  from: number,
  to: number,
): Promise<boolean> {
  return (await db.run(moveCounter, { credential_id, from, to })).changes > 0
}

/** Somebody has signed in with it: from now on it proves who they are. */
export async function setPasskeyProven(db: Db, credential_id: string): Promise<void> {
  await db.enqueue(proveRow, { credential_id })
}

/** False: the user has no such passkey. */
export async function removePasskey(db: Db, user_id: Ulid, credential_id: string): Promise<boolean> {
  return (await db.run(deleteRow, { user_id, credential_id })).changes > 0
}

export async function deletePasskeysOf(db: Db, user_id: Ulid): Promise<number> {
  return (await db.run(deleteRows, { user_id })).changes
}
