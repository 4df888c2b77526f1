import type { IsoTime } from '#src/domain/iso-time.ts'
import { happenedBy, isMissing, ItemReplay } from '#src/domain/item-then.ts'
import { byEventId } from '#src/domain/past-event.ts'
import { lastUlidAt, parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { type Db, query } from '#src/sql/query.ts'
import { renameEventsOf } from '#src/storage/changes/past-renames.ts'
import { EVENT_COLUMNS, eventsOfItem, readEvent, unreadEvent } from '#src/storage/changes/past-events.ts'
import { itemNotFound } from '#src/storage/items/items.ts'

/** An event's time may be so much after the time that its item got with it (another process's clock). */
export const SKEW_MS = 60_000

/**
 * An item in its single form (decisions §2) as it was at a time, that millisecond included, as JSON text.
 * @throws NotFound where it was not there yet, or was deleted, or where the log has lost what it was
 */
export async function itemJsonAt(db: Db, given: string, time: IsoTime): Promise<string> {
  const item_id = parseUlid(given)
  if (item_id === null) throw itemNotFound(given)
  const until = Math.max(time.floor, 0)
  const events = await eventsOfItem(db, item_id, lastUlidAt(until + SKEW_MS))
  const tags = new Set(events.flatMap(({ tag_id }) => tag_id ?? []))
  const renames = await renameEventsOf(db, [...tags])
  const all = [...events, ...renames].toSorted(byEventId)
  const then = all.slice(0, happenedBy(all, new Date(until).toISOString()))
  const replay = new ItemReplay()
  const told = new Map<Ulid, string>()
  for (const event of then) {
    const read = await readEvent(db, event)
    const { tag_id, details } = read
    if (tag_id !== null && details.tag_name !== undefined) told.set(tag_id, details.tag_name)
    replay.take(read)
  }
  const { item } = replay
  if (!item) throw itemNotFound(given)
  if (then.some(isMissing)) throw redactedSince(item_id)
  const { name, description, created_at, updated_at } = item
  const names = await tagNamesAt(db, told, until)
  const data = [...item.tags]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([tag_id, { schema_version, values }]) =>
        `"${tag_id}":${JSON.stringify({ tag_name: names.get(tag_id)!, schema_version, field_values: values })}`,
    )
  const head = JSON.stringify({ item_id, id: item_id, name, description }).slice(0, -1)
  return `${head},"data":{${data.join()}},${JSON.stringify({ created_at, updated_at }).slice(1)}`
}

const redactedSince = (item_id: Ulid): ServiceError =>
  new ServiceError('NotFound', `What the item '${item_id}' was then has been redacted from the log`, {
    suggestion: 'Its history says which; the audit_redacted event says when',
  })

const naming = query((p: { tag_ids: string; until: Ulid }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('tag_id', 'in', dialect.texts(p.tag_ids))
    .where('event_type', '=', 'tag_updated')
    .where('event_id', '>', p.until)
    .orderBy('event_id', 'desc'),
)
const presentNames = query((p: { tag_ids: string }, sql, dialect) =>
  sql.selectFrom('tag').select(['tag_id', 'name']).where('tag_id', 'in', dialect.texts(p.tag_ids)),
)

/** What the tags were named then: their present names, or what was told of those that are gone, taken back through their later changes. */
async function tagNamesAt(db: Db, told: ReadonlyMap<Ulid, string>, time: number): Promise<Map<Ulid, string>> {
  const names = new Map(told)
  const tag_ids = JSON.stringify([...names.keys()])
  for (const { tag_id, name } of await db.all(presentNames, { tag_ids })) names.set(tag_id, name)
  for (const row of await db.all(naming, { tag_ids, until: lastUlidAt(time) })) {
    const { tag_id, details } = await readEvent(db, unreadEvent(row))
    if (details.fields_changed?.includes('name')) names.set(tag_id!, details.old_values!['name'] as string)
  }
  return names
}
