import { sql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type Db, query } from '#src/sql/query.ts'
import { andSeen } from '#src/storage/sight/seen-items.ts'
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

/** Of more fields than these all entries are put in order for each page. */
const MAX_MERGED = 50

/** From each field's entries, which stand in the order of items, as many as the page may need. */
function firstOfEach(db: Db, { target, fields, after, limit }: PageOfBacklinks) {
  const { dialect } = db
  const value = dialect.filter.value('v', 'row_id')
  const entries = fields.map((field) => {
    // The position's own item is looked at once more by fields that come after its own.
    const from = field > after.field ? after.item : after.item + 1
    return sql`select * from (select v.item as item, v.field as field from ${FIELD_VALUE} v where v.field = ${field} and ${value} = ${target} and v.item >= ${from}${andSeen(db, sql`v.item`)} order by v.item limit ${limit}) e`
  })
  return sql.join(entries, sql` union all `)
}

const allOfEach = (db: Db, { target, fields, after }: PageOfBacklinks) => {
  const { dialect } = db
  return sql`select v.item as item, v.field as field from ${FIELD_VALUE} v where v.field in ${dialect.integers(JSON.stringify(fields))} and ${dialect.filter.value('v', 'row_id')} = ${target} and (v.item, v.field) > (${after.item}, ${after.field})${andSeen(db, sql`v.item`)}`
}

interface PageOfBacklinks {
  target: number
  fields: readonly number[]
  after: BacklinkPosition
  limit: number
}

function pageOf(db: Db, wanted: PageOfBacklinks): Promise<BacklinkRow[]> {
  const entries = wanted.fields.length <= MAX_MERGED ? firstOfEach(db, wanted) : allOfEach(db, wanted)
  const statement = sql<BacklinkRow>`with l as materialized (${entries}) select l.item as item, l.field as field, i.item_id as item_id, i.name as name from (select item, field from l order by item, field limit ${wanted.limit}) l cross join item i where i.id = l.item order by l.item, l.field`
  return db.select<BacklinkRow>(statement.compile(db.dialect.builder))
}

/** What refers to an item (row id), oldest first; `next` where more follows. */
export async function backlinks(
  db: Db,
  target: number,
  after: BacklinkPosition,
  limit: number,
): Promise<{ links: Backlink[]; next: BacklinkPosition | undefined }> {
  const fields = await referenceFields(db)
  if (!fields.size) return { links: [], next: undefined }
  const rows = await pageOf(db, { target, fields: [...fields.keys()], after, limit: limit + 1 })
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
  const { dialect } = db
  const rows = sql<{
    n: number
  }>`select count(*) as n from ${FIELD_VALUE} v where v.field in ${dialect.integers(fields)} and ${dialect.filter.value('v', 'row_id')} = ${target}${andSeen(db, sql`v.item`)}`
  const [row] = await db.select<{ n: number }>(rows.compile(dialect.builder))
  return row!.n
}

const every = query((p: { target: number; fields: string }, db, dialect) =>
  db
    .selectFrom('field_value as v')
    .select(['v.item', 'v.field'])
    .where('v.field', 'in', dialect.integers(p.fields))
    .where(sql<boolean>`${dialect.filter.value('v', 'row_id')} = ${p.target}`),
)

/** The living items (row ids) that refer to any of these items, by the tag (id) that they do it with, oldest tag first. */
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
  return new Map([...referring].sort(([a], [b]) => (a < b ? -1 : 1)))
}
