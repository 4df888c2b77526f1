import { sql } from 'kysely'
import type { FieldType } from '#src/domain/field-schema.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type Db, query } from '#src/sql/query.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { Columns } from '#src/storage/columns/columns.ts'
import {
  type ColumnSource,
  fieldSource,
  hasColumn,
  LIVE,
  tagSource,
} from '#src/storage/columns/read-column.ts'

/** Fewer items than these are read within the call that asks for a column: it takes a few milliseconds. */
const LEAST_ITEMS = 50_000
/** Columns of tags that more than this share of all items have come first, then those of rarer ones; others wait until they are asked for. */
const SHARES = [1 / 4, 1 / 50]
const GROWN = 5 / 4
/** Fields that are looked at. */
const MOST = 1000
/** Entries that are read in one call: some milliseconds. */
const ENTRIES = 10_000

/** What groups, sums and intersections are mostly asked for comes first, and what takes least room. */
const ORDER: readonly FieldType[] = ['Select', 'Boolean', 'Date', 'Number', 'Reference', 'DateTime', 'String']

const fieldsOfTags = query((_: object, db) =>
  db
    .selectFrom('field as f')
    .innerJoin('tag as t', 't.id', 'f.tag')
    .select(['f.id', 'f.kind', 'f.tag'])
    .where('t.deleted_at', 'is', null)
    .orderBy('f.id')
    .limit(MOST),
)

/**
 * Reads some more of the columns that are likely to be asked for, so that no call has to wait for them: one slice.
 * False where there is nothing left to read. Every call may see the base at another moment: what has changed meanwhile
 * is read again, like that of all columns.
 */
export async function warmColumns(
  db: Db,
  { least = LEAST_ITEMS, entries = ENTRIES }: { least?: number; entries?: number } = {},
): Promise<boolean> {
  const columns = await Columns.of(db)
  if (!columns || columns.rows <= least) return false
  const { kept } = columns
  if (!kept.isReading) {
    const next = await nextSource(db, columns)
    if (next === 'later') return true
    if (!next || !columns.areCurrent) return false
    kept.begin(next)
  }
  await kept.readOn(db, entries)
  return true
}

/** How many items have a tag, as far as it is asked; as many as there were then. */
interface TagCounts {
  readonly rows: number
  readonly counts: Map<number, number>
}

const known = new WeakMap<object, TagCounts>()

/** Counts are taken again once there are a quarter more items. */
function countsFor({ kept, rows }: Columns): Map<number, number> {
  const found = known.get(kept)
  if (found && rows <= found.rows * GROWN) return found.counts
  const counts = new Map<number, number>()
  known.set(kept, { rows, counts })
  return counts
}

/** `later` where tags have to be counted before anything is read. */
async function nextSource(db: Db, columns: Columns): Promise<ColumnSource | undefined | 'later'> {
  const { kept, rows } = columns
  if (kept.isWanted(LIVE, rows)) return LIVE
  const counts = countsFor(columns)
  const fields = (await db.all(fieldsOfTags, {}))
    .map(({ id, kind, tag }) => ({ id, tag, type: kind as FieldType }) as BoundField)
    .filter(hasColumn)
    .toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))
  const uncounted = fields.find(({ tag }) => !counts.has(tag))
  if (uncounted) {
    counts.set(uncounted.tag, await countTagged(db, uncounted.tag, Math.floor(rows * SHARES[0]!) + 1))
    return 'later'
  }
  for (const share of SHARES)
    for (const field of fields) {
      if (counts.get(field.tag)! <= Math.floor(rows * share)) continue
      const wanted = columnsFor(field, rows).find(({ source, bytes }) => kept.isWanted(source, bytes))
      if (wanted) return wanted.source
    }
  return undefined
}

/** A field's, and its tag's, and about how large they will be. */
function columnsFor(field: BoundField, rows: number): { source: ColumnSource; bytes: number }[] {
  const isWide = field.type === 'Number' || field.type === 'Reference'
  return [
    { source: tagSource(field.tag), bytes: rows },
    { source: fieldSource(field), bytes: isWide ? 8 * rows : 2 * rows },
  ]
}

/** How many items have a tag, counted up to a number. */
async function countTagged(db: Db, tag: number, most: number): Promise<number> {
  const { dialect } = db
  const tagged = sql`select 1 from ${FIELD_VALUE} v where v.field = ${HAS_TAG} and ${dialect.filter.value('v', 'row_id')} = ${tag}`
  const [found] = await db.select<{ n: number }>(dialect.countedUpTo(tagged, most).compile(dialect.builder))
  return found!.n
}
