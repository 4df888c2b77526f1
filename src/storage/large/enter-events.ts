import { TIME_DIGITS, type Ulid, ulidTime } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import type { Db } from '#src/sql/query.ts'
import { chainHasher, continueChain, detailsHash } from '#src/storage/log/audit-chain.ts'
import { sealedAfter } from '#src/storage/log/seal-begin.ts'
import { sealState } from '#src/storage/log/sealed-state.ts'

/** Whose events they are, and of which change. */
export interface EventAuthor {
  user_id: Ulid | null
  source: string
  /** JSON text. */
  client: string | null
  change_id: Ulid
}

/** An event with its id; `details` is the value itself and, where that was written already, its JSON text; `state` too. */
export type NumberedEvent = readonly [
  event_id: Ulid,
  event_type: string,
  entity_type: string,
  item_id: Ulid | null,
  tag_id: Ulid | null,
  details: unknown,
  state: string | null,
  text?: string | undefined,
]

const insertEvents = rowInserter('audit_event', [
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
])

/** Enters events into the log, each chained to the one before (additions §6). */
export async function enterEvents(
  db: Db,
  author: EventAuthor,
  events: readonly NumberedEvent[],
): Promise<void> {
  const { user_id, source, client, change_id } = author
  const hashOf = chainHasher(author)
  const timeOf = timestamps()
  const rows: (string | null)[][] = []
  const unsealed = await sealedAfter(db)
  await continueChain(db, (head) => {
    let previous = head
    for (const event of events) {
      const [event_id, event_type, entity_type, item_id, tag_id, details, plain, text] = event
      const created_at = timeOf(event_id)
      const { state, salt } = sealState(plain, previous === unsealed)
      const details_hash = detailsHash(details, salt)
      previous = hashOf(previous, event, created_at, details_hash)
      rows.push([
        event_id,
        event_type,
        entity_type,
        item_id,
        tag_id,
        user_id,
        source,
        text ?? JSON.stringify(details),
        created_at,
        change_id,
        client,
        state,
        salt,
        details_hash,
        previous,
      ])
    }
    return previous
  })
  await insertEvents(db, rows)
}

/** An event's time is its id's: it never goes backwards, so the order of ids is the order of times. */
export function timestamps(): (id: Ulid) => string {
  let last = ''
  let text = ''
  return (id) => {
    const time = id.slice(0, TIME_DIGITS)
    if (time !== last) text = new Date(ulidTime(id)).toISOString()
    last = time
    return text
  }
}
