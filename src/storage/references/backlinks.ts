import { sql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { referenceFields } from '#src/storage/references/reference-fields.ts'

/** A living item that refers to another by a field. */
export interface Backlink {
  item_id: Ulid
  name: string
  tag_id: Ulid
  tag_name: string
  field: string
}

/** The last backlink of a page, by row ids. */
export interface BacklinkPosition {
  item: number
  field: number
}

interface BacklinkRow extends BacklinkPosition {
  item_id: Ulid
  name: string
}

// Found by the index on values and then sorted: in the order of items all entries of all fields would be walked.
const page = query(
  (p: { target: number; fields: string; item: number; field: number; limit: number }, db, dialect) =>
    db
      .with(
        (cte) => cte('l').materialized(),
        (e) =>
          e
            .selectFrom('field_value as v')
            .select(['v.item', 'v.field'])
            .where('v.field', 'in', dialect.integers(p.fields))
            .where(sql<boolean>`${dialect.filter.value('v', 'row_id')} = ${p.target}`),
      )
      .selectFrom('l')
      .innerJoin('item as i', 'i.id', 'l.item')
      .select(['l.item', 'l.field', 'i.item_id', 'i.name'])
      .where((e) => e(e.refTuple('l.item', 'l.field'), '>', e.tuple(e.val(p.item), e.val(p.field))))
      .orderBy('l.item')
      .orderBy('l.field')
      .limit(p.limit)
      .$castTo<BacklinkRow>(),
)

const count = query((p: { target: number; fields: string }, db, dialect) =>
  db
    .selectFrom('field_value as v')
    .select(sql<number>`count(*)`.as('n'))
    .where('v.field', 'in', dialect.integers(p.fields))
    .where(sql<boolean>`${dialect.filter.value('v', 'row_id')} = ${p.target}`),
)

/** What refers to an item (row id), oldest first; `next` where more follows. */
export async function backlinks(
  db: Db,
  target: number,
  after: BacklinkPosition,
  limit: number,
): Promise<{ links: Backlink[]; next: BacklinkPosition | undefined }> {
  const fields = await referenceFields(db)
  const ids = JSON.stringify([...fields.keys()])
  const rows = await db.all(page, { target, fields: ids, ...after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    links: shown.map(({ item_id, name, field }) => {
      const { tag_id, tag_name, name: field_name } = fields.get(field)!
      return { item_id, name, tag_id, tag_name, field: field_name }
    }),
    next: rows.length > limit && last ? { item: last.item, field: last.field } : undefined,
  }
}

export async function countBacklinks(db: Db, target: number): Promise<number> {
  const fields = JSON.stringify([...(await referenceFields(db)).keys()])
  return (await db.get(count, { target, fields }))!.n
}

const every = query((p: { target: number; fields: string }, db, dialect) =>
  db
    .selectFrom('field_value as v')
    .select(['v.item', 'v.field'])
    .where('v.field', 'in', dialect.integers(p.fields))
    .where(sql<boolean>`${dialect.filter.value('v', 'row_id')} = ${p.target}`),
)

/** The living items (row ids) that refer to any of these items, by the tag (id) that they do it with. */
export async function referringItems(
  db: Db,
  targets: readonly number[],
): Promise<ReadonlyMap<Ulid, ReadonlySet<number>>> {
  const fields = await referenceFields(db)
  const ids = JSON.stringify([...fields.keys()])
  const referring = new Map<Ulid, Set<number>>()
  for (const target of targets)
    for (const { item, field } of await db.all(every, { target, fields: ids })) {
      const { tag_id } = fields.get(field)!
      const items = referring.get(tag_id)
      if (items) items.add(item)
      else referring.set(tag_id, new Set([item]))
    }
  return referring
}
