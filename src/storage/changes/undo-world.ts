import { sql as raw } from 'kysely'
import type { FieldMap } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { netRenames, type NetRenames } from '#src/domain/net-renames.ts'
import {
  inverseRenames,
  type PastRename,
  pastRename,
  renamesAfter,
  valuesNow,
} from '#src/domain/past-rename.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import { type NameObstacle, obstacleOn } from '#src/domain/name-obstacle.ts'
import type { TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { UndoItem, UndoTag, UndoWorld } from '#src/domain/undo/undo-world.ts'
import { type Db, query } from '#src/sql/query.ts'
import { renamesOf } from '#src/storage/changes/past-renames.ts'
import { pagesOfTaggedItems, type TaggedItem } from '#src/storage/items/tagged-items.ts'
import { entriesOfWholeItems } from '#src/storage/items/whole-items.ts'
import { basesByTag } from '#src/storage/tags/tag-bases.ts'

/** Items that are read at once. */
const CHUNK = 500
/** Bytes. Longer descriptions are read by themselves. */
const LONG = 8 * 1024
/** Of the items that have a tag no more are read: among this many are some that undo does not know. */
const MAX_HOLDERS = 100_001

const itemRows = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .select([
      'id',
      'item_id',
      'name',
      raw<string | null>`case when octet_length(description) <= ${raw.lit(LONG)} then description end`.as(
        'description',
      ),
      raw<number>`case when octet_length(description) > ${raw.lit(LONG)} then 1 else 0 end`.as('is_long'),
      'deleted_at',
    ])
    .where('item_id', 'in', dialect.texts(p.ids)),
)
const longDescription = query((p: { id: number }, sql) =>
  sql.selectFrom('item').select('description').where('id', '=', p.id),
)
const tagRows = query((_: object, sql) =>
  sql
    .selectFrom('tag')
    .select(['id', 'tag_id', 'name', 'description', 'fields', 'look', 'schema_version', 'deleted_at'])
    .orderBy('id'),
)
const holderRows = query((p: { tag: number }, sql) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('item', 'item.id', 'item_tag.item')
    .select(['item.item_id', 'item.deleted_at'])
    .where('item_tag.tag', '=', p.tag)
    .limit(MAX_HOLDERS),
)

/**
 * What these events concern, as it stands.
 * @param onText is called with the length of each text of an item
 */
export async function readUndoWorld(
  db: Db,
  events: readonly PastEvent[],
  onText: (length: number) => void,
): Promise<UndoWorld> {
  const bases = await basesByTag(db)
  const tags = await readTags(db, bases)
  const { holders, deleted } = await readHolders(db, events, tags)
  const wanted = new Set([...events.flatMap(({ item_id }) => item_id ?? []), ...deleted.toSorted()])
  const items = await readItems(db, wanted, onText)
  const renames = Map.groupBy(await renamesOf(db, tagsIn(events)), ({ tag_id }) => tag_id)
  return {
    items,
    tags,
    renames,
    occupied: await readOccupied(db, events, { tags, items, renames }),
    named: new Map(),
    edges: bases,
    gone: new Set([...tags.values()].flatMap(({ presence, tag_id }) => (presence === 'live' ? [] : tag_id))),
    holders,
  }
}

async function readTags(db: Db, bases: ReadonlyMap<Ulid, Ulid[]>): Promise<Map<Ulid, UndoTag>> {
  const tags = new Map<Ulid, UndoTag>()
  for (const { deleted_at, fields: text, look, ...row } of await db.all(tagRows, {})) {
    const fields = JSON.parse(text) as FieldMap
    tags.set(row.tag_id, {
      ...row,
      presence: deleted_at === null ? 'live' : 'deleted',
      fields,
      look: look === null ? null : (JSON.parse(look) as TagLook),
      stored_fields: fields,
      extends: bases.get(row.tag_id) ?? [],
      renamed: [],
    })
  }
  return tags
}

async function readItems(
  db: Db,
  wanted: ReadonlySet<Ulid>,
  onText: (length: number) => void,
): Promise<Map<Ulid, UndoItem>> {
  const items = new Map<Ulid, UndoItem>()
  const ids = [...wanted]
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK)
    const byRow = new Map<number, UndoItem>()
    const byId = new Map<Ulid, UndoItem>()
    for (const { deleted_at, is_long, ...row } of await db.all(itemRows, {
      ids: JSON.stringify(chunk),
    })) {
      if (is_long) row.description = (await db.get(longDescription, { id: row.id }))!.description
      onText(row.name.length + (row.description?.length ?? 0))
      const item: UndoItem = { ...row, presence: deleted_at === null ? 'live' : 'deleted', tags: new Map() }
      byId.set(row.item_id, item)
      byRow.set(row.id, item)
    }
    for (const { item, tag_id, schema_version, field_values } of await entriesOfWholeItems(db, [
      ...byRow.keys(),
    ])) {
      onText(field_values.length)
      const values = new Map(Object.entries(JSON.parse(field_values) as object))
      byRow.get(item)!.tags.set(tag_id, { schema_version, values })
    }
    for (const item of inOrder(chunk, byId)) items.set(item.item_id, item)
  }
  return items
}

/** As they are wanted, and their tags oldest first: no order of an engine shows in what undo records. */
function* inOrder(wanted: readonly Ulid[], items: ReadonlyMap<Ulid, UndoItem>): Generator<UndoItem> {
  for (const item_id of wanted) {
    const item = items.get(item_id)
    if (!item) continue
    if (item.tags.size > 1) item.tags = new Map([...item.tags].sort(([a], [b]) => (a < b ? -1 : 1)))
    yield item
  }
}

function tagsIn(events: readonly PastEvent[]): Ulid[] {
  const ids = new Set<Ulid>()
  for (const { tag_id, details } of events) {
    if (tag_id !== null) ids.add(tag_id)
    for (const tag of details.tags ?? []) ids.add(tag.tag_id)
  }
  return [...ids]
}

/** Which of these renames an item that undo does not know is in the way of. */
async function readOccupied(
  db: Db,
  events: readonly PastEvent[],
  { tags, items, renames }: Pick<UndoWorld, 'tags' | 'items' | 'renames'>,
): Promise<Map<Ulid, NameObstacle>> {
  const occupied = new Map<Ulid, NameObstacle>()
  const meant = Map.groupBy(
    events.flatMap((event) => pastRename(event) ?? []),
    ({ tag_id }) => tag_id,
  )
  for (const [tag_id, list] of meant) {
    const tag = tags.get(tag_id)
    if (!tag) continue
    const ids = new Set(list.map(({ event_id }) => event_id))
    const stay: PastRename[] = (renames.get(tag_id) ?? []).filter(({ event_id }) => !ids.has(event_id))
    const inverses = list.toReversed().map(({ event_id, renames: each }): Inverse => {
      const inverse = inverseRenames(each, renamesAfter(stay, event_id))
      return { event_id, renames: inverse, net: netRenames([inverse]) }
    })
    for await (const page of pagesOfTaggedItems(db, tag.id))
      for (const row of page) if (!items.has(row.item_id)) noteObstacle(row, inverses, occupied)
  }
  return occupied
}

/** What takes a rename back, and what it makes of names. */
interface Inverse {
  event_id: Ulid
  renames: TagRenames
  net: NetRenames
}

function noteObstacle(
  { item_id, deleted_at, field_values }: TaggedItem,
  inverses: readonly Inverse[],
  occupied: Map<Ulid, NameObstacle>,
): void {
  const item = { item_id, is_deleted: deleted_at !== null }
  let values = JSON.parse(field_values) as FieldValues
  for (const { event_id, renames, net } of inverses) {
    const obstacle = obstacleOn(item, values, renames)
    // That rename stays in force, and the older ones are taken back without it.
    if (obstacle) occupied.set(event_id, obstacle)
    else values = valuesNow(values, net)
  }
}

/** Of the tags that would be deleted; they are taken off those that are deleted, so these must be known. */
async function readHolders(
  db: Db,
  events: readonly PastEvent[],
  tags: ReadonlyMap<Ulid, UndoTag>,
): Promise<{ holders: Map<Ulid, Set<Ulid>>; deleted: Ulid[] }> {
  const holders = new Map<Ulid, Set<Ulid>>()
  const deleted: Ulid[] = []
  for (const { event_type, tag_id } of events) {
    if ((event_type !== 'tag_created' && event_type !== 'tag_restored') || holders.has(tag_id!)) continue
    const tag = tags.get(tag_id!)
    if (!tag) continue
    const rows = await db.all(holderRows, { tag: tag.id })
    holders.set(tag_id!, new Set(rows.map(({ item_id }) => item_id)))
    // One live item that undo does not know is enough to refuse.
    deleted.push(...rows.flatMap(({ item_id, deleted_at }) => (deleted_at === null ? [] : item_id)))
  }
  return { holders, deleted }
}
