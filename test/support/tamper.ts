import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import type { Db } from '#src/sql/query.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import type { BrokenEvent } from '#src/storage/log/verify-changes.ts'
import type { Base } from '#test/support/base.ts'
import type { Chance } from '#test/support/chance.ts'

/** All that is stored of an event; `state`, of which nothing is told, is vouched for by the salt (decision 47). */
const TEXTS = [
  'event_id',
  'event_type',
  'entity_type',
  'item_id',
  'tag_id',
  'user_id',
  'source',
  'details',
  'created_at',
  'change_id',
  'client',
  'state',
  'details_salt',
  'details_hash',
  'hash',
] as const

export type StoredEvent = Record<string, string | number | null> & { id: number; event_id: string }

export const storedEvents = (db: Db): Promise<StoredEvent[]> =>
  db.select<StoredEvent>({ sql: 'select * from audit_event order by event_id', parameters: [] })

/** A few dozen events of most kinds. */
export async function writeLog(base: Pick<Base, 'run' | 'caller'>): Promise<void> {
  const client = { kind: 'key', id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', name: 'A key' } as const
  Object.assign(base.caller, { client, user_id: '01JJXZ5T7GQ3M8K4B9R2C6D0AA' })
  await base.run(createTag, { name: 'Count', fields: { count: 'Number', note: 'String' } })
  const tag = (count: number) => ({
    tag_ref: { Existing: 'Count' },
    field_values: { count, note: `No. ${count}: "quoted", ünd \\ \n` },
  })
  const items = Array.from({ length: 25 }, (_, i) => ({ name: `Item ${i}`, tags: [tag(i / 7)] }))
  const [{ item_id }] = (await base.run(bulkCreate, { items })) as [{ item_id: string }]
  await base.run(updateItem, { item_id, name: 'Another name' })
  await base.run(deleteItem, { item_id })
}

/** Changes one byte of the log, looks whether that is found, and puts it back; `times` times. What was not found. */
export async function tamper(db: Db, times: number, chance: Chance): Promise<unknown[]> {
  const events = await storedEvents(db)
  const missed: unknown[] = []
  for (let n = 0; n < times; n++) {
    const at = chance.below(events.length)
    const { id, ...event } = events[at]!
    const column = [...TEXTS, 'redacted'][n % (TEXTS.length + 1)]!
    const was = event[column] ?? null
    const tampered =
      typeof was === 'number'
        ? otherNumber(was, chance)
        : otherByte(was, column === 'event_id' ? 97 : 32, chance)
    await set(db, id, column, tampered)
    const { broken } = await verifyChain(db)
    if (!isFound(broken, column, at)) missed.push({ event, column, tampered, broken })
    await set(db, id, column, was)
  }
  return missed
}

/** An event whose id changed may be elsewhere now. */
const isFound = (broken: BrokenEvent | null, column: string, at: number) =>
  column === 'event_id' ? broken !== null : broken?.position === at + 1

const set = (db: Db, id: number, column: string, value: string | number | null) =>
  db.select({
    sql: `update audit_event set ${column} = ${literal(value)} where id = ${id} returning id`,
    parameters: [],
  })

const literal = (value: string | number | null) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

const otherNumber = (was: number, chance: Chance) => was ^ (1 << chance.below(8))

/** The text with one byte changed, so that it is text still; small letters (from 97 on) make no other id. */
function otherByte(text: string | null, from: number, chance: Chance): string {
  if (!text) return 'x'
  const at = chance.below(text.length)
  let byte = text[at]!
  while (byte === text[at]) byte = String.fromCharCode(from + chance.below(127 - from))
  return text.slice(0, at) + byte + text.slice(at + 1)
}
