import { createHash } from 'node:crypto'

/** An event as it is read through an interface. */
export interface ToldEvent extends Record<string, unknown> {
  event_id: string
  details: unknown
  details_salt: string | null
  details_hash: string
  hash: string
  redacted?: true
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** RFC 8785 by another way than the service's: objects are rebuilt with their names in order, then written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

/** What the hashes of events must be by additions §6, oldest first; null where details are redacted. */
export function expectedChain(
  events: readonly ToldEvent[],
  previous = '0'.repeat(64),
): { details_hash: string | null; hash: string }[] {
  return events.map((event) => {
    const { event_id, event_type, entity_type, item_id, tag_id } = event
    const { user_id, source, client, change_id, created_at, details_hash } = event
    const first = { previous, event_id, event_type, entity_type, item_id, tag_id }
    previous = sha256(canonical({ ...first, user_id, source, client, change_id, created_at, details_hash }))
    const salted = { details: event.details, salt: event.details_salt }
    return { details_hash: event.redacted ? null : sha256(canonical(salted)), hash: previous }
  })
}
