import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** Items that are read at once. */
const PAGE = 1000

export interface TaggedItem {
  /** Row id. */
  item: number
  item_id: Ulid
  name: string
  deleted_at: string | null
  schema_version: number
  /** JSON text. */
  field_values: string
}

// In the order of the index on (tag, schema_version, item), so that no page sorts.
const page = query((p: { tag: number; schema_version: number; item: number; below: number }, sql) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('item', 'item.id', 'item_tag.item')
    .select([
      'item_tag.item',
      'item.item_id',
      'item.name',
      'item.deleted_at',
      'item_tag.schema_version',
      'item_tag.field_values',
    ])
    .where('item_tag.tag', '=', p.tag)
    .where('item_tag.schema_version', '<', p.below)
    .where((e) =>
      e(
        e.refTuple('item_tag.schema_version', 'item_tag.item'),
        '>',
        e.tuple(e.val(p.schema_version), e.val(p.item)),
      ),
    )
    .orderBy('item_tag.schema_version')
    .orderBy('item_tag.item')
    .limit(PAGE),
)

/** Above all versions. */
const ANY_VERSION = 2 ** 31 - 1

/**
 * All items that have a tag (row id), deleted ones too. With `below` those of earlier versions: they may be brought to
 * that one on the way.
 */
export async function* pagesOfTaggedItems(
  db: Db,
  tag: number,
  below = ANY_VERSION,
): AsyncGenerator<TaggedItem[]> {
  let rows = await db.all(page, { tag, schema_version: 0, item: 0, below })
  while (rows.length) {
    yield rows
    const { schema_version, item } = rows.at(-1)!
    rows = rows.length < PAGE ? [] : await db.all(page, { tag, schema_version, item, below })
  }
}

const counted = query((p: { tag: number }, sql) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('item', 'item.id', 'item_tag.item')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('item_tag.tag', '=', p.tag)
    .where('item.deleted_at', 'is', null),
)

/** How many live items have a tag (row id). */
export const countTagged = async (db: Db, tag: number): Promise<number> =>
  (await db.get(counted, { tag }))?.count ?? 0

const entries = query((p: { tag: number }, sql) =>
  sql
    .selectFrom('item_tag')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tag', '=', p.tag),
)

/** How many items have a tag (row id), deleted ones too. */
export const countEntries = async (db: Db, tag: number): Promise<number> =>
  (await db.get(entries, { tag }))?.count ?? 0

const untag = query((p: { tag: number }, sql) => sql.deleteFrom('item_tag').where('tag', '=', p.tag))

/** Takes a tag off all items; not out of the value index. */
export async function untagAllItems(db: Db, tag: number): Promise<void> {
  await db.enqueue(untag, { tag })
}

const some = query((p: { tag: number; limit: number }, sql) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('item', 'item.id', 'item_tag.item')
    .select('item.item_id')
    .where('item_tag.tag', '=', p.tag)
    .where('item.deleted_at', 'is', null)
    .limit(p.limit),
)

/** Ids of live items that have a tag (row id), at most `limit`, in no order. */
export const someTagged = async (db: Db, tag: number, limit: number): Promise<Ulid[]> =>
  (await db.all(some, { tag, limit })).map(({ item_id }) => item_id)
