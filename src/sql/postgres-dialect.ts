import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { unreachable } from '#src/domain/errors.ts'
import type { IndexEntry } from '#src/domain/index-values.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { beginning, fillsEntry, templateParts } from '#src/sql/long-text.ts'
import { postgresFilter } from '#src/sql/postgres-filter.ts'
import { postgresSchema } from '#src/sql/postgres-schema.ts'
import type { Tables } from '#src/sql/tables.ts'

export const postgresBuilder = (createQueryCompiler: () => PostgresQueryCompiler): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler,
    },
  })

// The planner takes what it cannot see for ten, and looks each up. If it saw the list it would plan again each time.
const integers: Dialect['integers'] = (list) =>
  sql`(select unnest((select translate(${list}, '[]', '{}')::bigint[])) as value)`

export const postgresDialect: Dialect = {
  name: 'postgres',
  builder: postgresBuilder(() => new PostgresQueryCompiler()),
  jsonQuote: (value) => sql`coalesce(to_json(${value})::text, 'null')`,
  texts: (list) => sql`(select json_array_elements_text(${list}::json))`,
  integers,
  joined: (value) => sql`string_agg(${value}::text, ',')`,
  joinedInOrder: (text, order) => sql`string_agg(${text}, ',' order by ${order})`,
  pasted: (text, ...expressions) => sql`(${sql.join(templateParts(text, expressions), sql` || `)})`,
  foldedTexts: (json) =>
    sql`select (r ->> 0)::bigint as id, (r ->> 1) collate "C" as name, (r ->> 2) collate "C" as description from json_array_elements(${json}::json) r`,
  entries: (json) =>
    sql`select key::bigint as item, value as field_values from json_each_text(${json}::json)`,
  // Of a tag that was just applied to many it knows nothing yet, and would go through all of them for each.
  ofItems: (column) => sql`${sql.ref(column)} + 0`,
  // Until the server counts again it knows nothing of what was just deleted, and would go through the list for each of that.
  isDeleted: sql`coalesce(deleted_at, '') <> ''`,
  explain: { prefix: 'explain', line: (row) => String(row['QUERY PLAN']) },
  later: (column, now) =>
    sql`case when ${column} < ${now} then ${now} else to_char((${column}::timestamptz + interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`,
  whole: {
    isWhole: (value) => sql`(${value} = trunc(${value}) and abs(${value}) <= 9007199254740991)`,
    quotient: (value, divisor) => sql`trunc(${value} / ${sql.lit(divisor)})`,
    remainder: (value, divisor) =>
      sql`(${value} - trunc(${value} / ${sql.lit(divisor)}) * ${sql.lit(divisor)})`,
  },
  countedUpTo: (rows, most) => sql`select count(*) as n from (select 1 from (${rows}) r limit ${most + 1}) c`,
  begin: {
    write: 'begin isolation level read committed',
    snapshot: 'begin isolation level repeatable read read only',
  },
  afterLoading: ['vacuum analyze'],
  rowIds: {
    last: (table) =>
      sql`select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0) as last`,
    goOnAfter: (table, last) => [
      sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${Math.max(last, 1)}, ${last > 0})`,
    ],
  },
  lists: null,
  fieldValue: {
    columns: ['num', 'text', 'ref', 'long'],
    encode: encodeEntry,
    asJson: (field, entry, item) => [field, item, ...encodeEntry(entry)],
    fromJson: (json) =>
      sql`select (r ->> 0)::bigint as field, (r ->> 1)::bigint as item, (r ->> 2)::float8 as num, (r ->> 3) collate "C" as text, (r ->> 4)::bigint as ref, (r ->> 5) collate "C" as long from json_array_elements(${json}::json) r`,
    rowId: 'ref',
    rowIdOfItem: sql`ref + 0`,
    // Of a field that it has not counted yet it expects one row, and would look through the list for each that there is.
    ofItems: (field, items) =>
      sql`from ${integers(items)} l${postgresFilter.joinValues('v', sql`l.value`, field)} where true`,
    entriesAfter: (field, place, limit) =>
      sql`select e.* from field_value e where e.field = ${field} and e.item > ${place?.highest ?? 0} order by e.item limit ${limit}`,
  },
  leavesLater: false,
  writesAhead: true,
  forgetTexts: null,
  rebuildsIndexes: false,
  names: {
    hold: (name) => sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
    isFree: (name) => sql`pg_try_advisory_xact_lock_shared(hashtextextended(${name}, 0))`,
  },
  filter: postgresFilter,
  schema: postgresSchema,
}

/** In the order of the columns; a mismatch of type leaves all empty, an empty set is the one with a `long` and no `text`. */
function encodeEntry(entry: IndexEntry): unknown[] {
  switch (entry.as) {
    case 'text':
      return [null, beginning(entry.text), null, fillsEntry(entry.text) ? entry.text : null]
    case 'number':
      return [entry.number, null, null, null]
    case 'reference':
      return [null, null, entry.item, null]
    case 'type_mismatch':
      return [null, null, null, null]
    case 'empty':
      return [null, null, null, '']
    default:
      return unreachable(entry)
  }
}
