import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** Failed sign-ins of one kind to one account that are counted, and have no event of their own. */
export interface CountedSignIns {
  user_id: Ulid
  /** `details` of their events, as JSON text. */
  details: string
  /** When the first of them failed. */
  since: string
  failed: number
  /** null: not all of one address. */
  address: string | null
}

/** Failures are swept by their time; these stay until they are taken. */
const NEVER = '9999-12-31T23:59:59.999Z'

/** With what their rows begin among those of failures; no key of others does. */
const PREFIX = 'counted '

// What begins with the prefix: '!' is the character after the blank at its end.
const beginning = (prefix: string) => ({ from: prefix, to: `${prefix.slice(0, -1)}!` })

/** Rows that are looked at with one turn of the writer, those that began first; an account has as many as there are kinds. */
export const MOST_COUNTED = 1000

const rows = query((p: { from: string; to: string; limit: number }, sql) =>
  sql
    .selectFrom('login_failure')
    .select(['id', 'key'])
    .where('key', '>=', p.from)
    .where('key', '<', p.to)
    .orderBy('id')
    .limit(p.limit),
)
const insertRow = query((p: { key: string }, sql) =>
  sql.insertInto('login_failure').values({ key: p.key, failed_at: NEVER }),
)
const updateRow = query((p: { id: number; key: string }, sql) =>
  sql.updateTable('login_failure').set({ key: p.key }).where('id', '=', p.id),
)
const deleteRow = query((p: { id: number }, sql) => sql.deleteFrom('login_failure').where('id', '=', p.id))

const keyOf = ({ user_id, ...rest }: CountedSignIns) => `${PREFIX}${user_id} ${JSON.stringify(rest)}`

function countedOf(key: string): CountedSignIns {
  const [user_id] = key.slice(PREFIX.length).split(' ', 1) as [string]
  return { user_id, ...JSON.parse(key.slice(PREFIX.length + user_id.length + 1)) }
}

/** Counts one more: an account has one row for each kind, however many there are. */
export async function countSignIn(
  db: Db,
  { user_id, details, address }: Pick<CountedSignIns, 'user_id' | 'details' | 'address'>,
  now: Date,
): Promise<void> {
  const known = await db.all(rows, { ...beginning(`${PREFIX}${user_id} `), limit: MOST_COUNTED })
  for (const { id, key } of known) {
    const before = countedOf(key)
    if (before.details !== details) continue
    const same = before.address === address ? address : null
    await db.enqueue(updateRow, { id, key: keyOf({ ...before, failed: before.failed + 1, address: same }) })
    return
  }
  const counted = { user_id, details, address, since: now.toISOString(), failed: 1 }
  await db.enqueue(insertRow, { key: keyOf(counted) })
}

/** Takes those whose first failed at that moment or before, of one account or of all; of very many the first ones. */
export async function takeCountedSignIns(
  db: Db,
  user_id: Ulid | null,
  until: string,
): Promise<CountedSignIns[]> {
  const prefix = user_id === null ? PREFIX : `${PREFIX}${user_id} `
  const taken: CountedSignIns[] = []
  for (const { id, key } of await db.all(rows, { ...beginning(prefix), limit: MOST_COUNTED })) {
    const counted = countedOf(key)
    if (counted.since > until) continue
    await db.enqueue(deleteRow, { id })
    taken.push(counted)
  }
  return taken
}
