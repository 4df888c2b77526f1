import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { unreachable } from '#src/domain/errors.ts'
import type { IndexEntry } from '#src/domain/index-values.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { jsonNumber, sqliteFilter } from '#src/sql/sqlite-filter.ts'
import { sqliteSchema } from '#src/sql/sqlite-schema.ts'
import type { Tables } from '#src/sql/tables.ts'
import { templateParts } from '#src/sql/long-text.ts'

/**
 * Where SQLite plans a statement it looks at the values of bare parameters, and plans it anew whenever one of these is
 * bound: up to a third of the time of a search. An expression it takes as it comes (decision 3).
 */
class SteadyQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

const integers: Dialect['integers'] = (list) => sql`(select value from json_each(${list}))`

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SteadyQueryCompiler(),
    },
  }),
  jsonQuote: (value) => sql`json_quote(${value})`,
  texts: (list) => sql`(select value from json_each(${list}))`,
  integers,
  joined: (value) => sql`group_concat(${value})`,
  // Rows are joined as they are read; to put them in an order would copy all texts once more.
  joinedInOrder: (text) => sql`string_agg(${text}, ',')`,
  // With || each part would be copied as often as parts follow it.
  pasted: (text, ...expressions) => sql`concat(${sql.join(templateParts(text, expressions))})`,
  foldedTexts: (json) =>
    sql`select value ->> 0 as id, value ->> 1 as name, value ->> 2 as description from json_each(${json})`,
  entries: (json) => sql`select cast(key as integer) as item, value as field_values from json_each(${json})`,
  ofItems: (column) => sql`${sql.ref(column)}`,
  isDeleted: sql`deleted_at is not null`,
  explain: { prefix: 'explain query plan', line: ({ detail }) => String(detail) },
  later: (column, now) =>
    sql`case when ${column} < ${now} then ${now} else strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '+0.001 seconds') end`,
  // Whole numbers are kept as integers (encodeEntry), and integers are divided as such.
  whole: {
    isWhole: (value) => sql`typeof(${value}) = 'integer'`,
    quotient: (value, divisor) => sql`(${value} / ${sql.lit(divisor)})`,
    remainder: (value, divisor) => sql`(${value} % ${sql.lit(divisor)})`,
  },
  // Rows that are skipped cost half of those that are counted.
  countedUpTo: (rows, most) =>
    sql`select case when exists (select 1 from (${rows}) r limit 1 offset ${most}) then ${most + 1} else (select count(*) from (${rows}) r) end as n`,
  begin: { write: 'begin immediate', snapshot: 'begin' },
  afterLoading: [],
  rowIds: {
    last: (table) => sql`select coalesce((select seq from sqlite_sequence where name = ${table}), 0) as last`,
    goOnAfter: (table, last) => [
      sql`delete from sqlite_sequence where name = ${table} returning seq`,
      sql`insert into sqlite_sequence (name, seq) select ${table}, ${last} where ${last} > 0 returning seq`,
    ],
  },
  lists: {
    rows: (list) => sql`json_each(${list})`,
    texts: (text) => sql`string_agg(${text}, '')`,
    array: (json) => sql`cast('[' || coalesce(string_agg(${json}, ','), '') || ']' as blob)`,
  },
  fieldValue: {
    columns: ['val'],
    encode: (entry) => [encodeEntry(entry)],
    // JSON knows no blobs.
    asJson: (field, entry, item) => [field, item, valueOf(entry) ?? null, entry.as === 'empty'],
    fromJson: (json) =>
      sql`select value ->> 0 as field, value ->> 1 as item, coalesce(${jsonNumber(sql`value ->> 2`)}, case value ->> 3 when 1 then x'' else x'00' end) as val from json_each(${json})`,
    rowId: 'val',
    rowIdOfItem: sql`val`,
    ofItems: (field, items) =>
      sql`from ${FIELD_VALUE} v where v.item in ${integers(items)} and v.field = ${field}`,
    entriesAfter: (field, place, limit) =>
      sql`select e.val, e.item from ${FIELD_VALUE} e where e.field = ${field}${place ? sql` and (e.val, e.item) > (${place.val}, ${place.item})` : sql``} order by e.val, e.item limit ${limit}`,
  },
  leavesLater: true,
  writesAhead: false,
  forgetTexts: (ids) =>
    sql`insert into "item_trigram" (item_trigram, rowid, name, description) select 'delete', w.id, w.name, w.description from waiting_text w where w.name is not null and w.id in (select value from json_each(${ids}))`,
  rebuildsIndexes: true,
  names: null,
  filter: sqliteFilter,
  schema: sqliteSchema,
}

/** Blobs compare to nothing that a filter can name. */
const MISFIT = Buffer.from([0])
const EMPTY = Buffer.alloc(0)

/** Undefined where the entry is a mark. */
function valueOf(entry: IndexEntry): string | number | undefined {
  switch (entry.as) {
    case 'text':
      return entry.text
    case 'number':
      return entry.number
    case 'reference':
      return entry.item
    case 'type_mismatch':
    case 'empty':
      return undefined
    default:
      return unreachable(entry)
  }
}

function encodeEntry(entry: IndexEntry): unknown {
  switch (entry.as) {
    case 'text':
      return entry.text
    case 'number':
      // A JavaScript number is bound as a float, which takes eight bytes; whole numbers need less.
      return Number.isSafeInteger(entry.number) ? BigInt(entry.number) : entry.number
    case 'reference':
      return BigInt(entry.item)
    case 'type_mismatch':
      return MISFIT
    case 'empty':
      return EMPTY
    default:
      return unreachable(entry)
  }
}
