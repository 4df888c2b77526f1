import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** A tag on a live item whose values were stored at an older version. */
export interface OutdatedTag {
  item_id: Ulid
  name: string
  tag_id: Ulid
  tag_name: string
  schema_version: number
  current_version: number
}

/** Where a walk through the outdated entries is: the last one seen, by row ids. */
export interface OutdatedPosition {
  tag: number
  schema_version: number
  item: number
}

export const FIRST_POSITION: OutdatedPosition = { tag: 0, schema_version: 0, item: 0 }

const changedTags = query((p: { from: number }, sql) =>
  sql
    .selectFrom('tag')
    .select(['id', 'tag_id', 'name', 'schema_version'])
    .where('deleted_at', 'is', null)
    .where('schema_version', '>', 1)
    .where('id', '>=', p.from)
    .orderBy('id'),
)

// In the order of the index on (tag, schema_version, item).
const outdatedItems = query(
  (p: { tag: number; current: number; schema_version: number; item: number; limit: number }, sql) =>
    sql
      .selectFrom('item_tag')
      .innerJoin('item', 'item.id', 'item_tag.item')
      .select(['item_tag.item', 'item.item_id', 'item.name', 'item_tag.schema_version'])
      .where('item_tag.tag', '=', p.tag)
      .where('item_tag.schema_version', '<', p.current)
      .where((e) =>
        e(
          e.refTuple('item_tag.schema_version', 'item_tag.item'),
          '>',
          e.tuple(e.val(p.schema_version), e.val(p.item)),
        ),
      )
      .where('item.deleted_at', 'is', null)
      .orderBy('item_tag.schema_version')
      .orderBy('item_tag.item')
      .limit(p.limit),
)

/** Tag by tag, the oldest versions first; of one tag (row id) or all. `next` where more may follow. */
export async function outdatedTags(
  db: Db,
  after: OutdatedPosition,
  limit: number,
  only?: number,
): Promise<{ entries: OutdatedTag[]; next: OutdatedPosition | null }> {
  const entries: OutdatedTag[] = []
  for (const tag of await db.all(changedTags, { from: after.tag })) {
    if (only !== undefined && tag.id !== only) continue
    const from = tag.id === after.tag ? after : { schema_version: 0, item: 0 }
    const rows = await db.all(outdatedItems, {
      tag: tag.id,
      current: tag.schema_version,
      schema_version: from.schema_version,
      item: from.item,
      limit: limit - entries.length,
    })
    for (const { item_id, name, schema_version } of rows)
      entries.push({
        item_id,
        name,
        tag_id: tag.tag_id,
        tag_name: tag.name,
        schema_version,
        current_version: tag.schema_version,
      })
    if (entries.length >= limit) {
      const { schema_version, item } = rows.at(-1)!
      return { entries, next: { tag: tag.id, schema_version, item } }
    }
  }
  return { entries, next: null }
}
