import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { longestWord } from '#src/domain/search-text.ts'
import type { FilterDialect, Range, SoughtText, ValueKind } from '#src/sql/filter-dialect.ts'
import { BEGINNING, beginning, fillsEntry } from '#src/sql/long-text.ts'

/** The trigram index knows no shorter parts. */
const SHORTEST_INDEXED = 3

const COLUMN = { text: 'text', number: 'num', row_id: 'ref' }
const ARRAY: Record<ValueKind, RawBuilder<unknown>> = {
  text: sql`text[]`,
  full_text: sql`text[]`,
  number: sql`float8[]`,
  row_id: sql`bigint[]`,
}

const WITHOUT_INDEX: Record<ValueKind, (expression: Expression<unknown>) => RawBuilder<unknown>> = {
  text: (expression) => sql`(${expression} || '')`,
  // Put together from two columns, so that no index has it.
  full_text: (expression) => sql`${expression}`,
  number: (expression) => sql`(${expression} + 0)`,
  row_id: (expression) => sql`(${expression} + 0)`,
}

/**
 * What is planned for itself, whatever is done with its rows. For a page of few in row order the planner would walk the
 * whole table by its key, and look through each text.
 */
const FENCE = sql` offset 0`

function settledBefore(): never {
  throw new Error('what Facet looks for in texts itself is settled before the plan becomes SQL')
}

/** `%` and `_` stand for themselves. */
const likePattern = (part: string) => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`

/** A character that stands for itself in a pattern of PostgreSQL. */
const literally = (character: string) =>
  /[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/.test(character) ? `\\${character}` : character

/** Of several the index reads those texts alone that may hold all of them. */
function itemsWithTexts(sought: readonly SoughtText[]): RawBuilder<{ item: number }> {
  const holds = sought.map(({ text, part }) => {
    const like = likePattern(text)
    const columns = part ? [part] : ['name', 'description']
    return sql`(${sql.join(
      columns.map((each) => sql`t.${sql.raw(each)} like ${like}`),
      sql` or `,
    )})`
  })
  // It reckons that a text of a megabyte costs as much as a number, and would read all of them in place of the index.
  return sql`select t.id as item from item_text t where t.waits is null and ${sql.join(holds, sql` and `)} and costs_a_text(t.id)${FENCE}`
}

export const postgresFilter: FilterDialect = {
  value: (row, kind) =>
    kind === 'full_text'
      ? sql.raw(`case when ${row}.text is not null then coalesce(${row}.long, ${row}.text) end`)
      : sql.raw(`${row}.${COLUMN[kind]}`),
  name: (row, kind) => sql.raw(kind === 'text' ? `left(${row}.name, ${BEGINNING})` : `${row}.name`),
  // Of what was written since it last counted values it expects one row at most, and takes the index on them for the best.
  withoutIndex: (expression, kind) => WITHOUT_INDEX[kind](expression),
  untyped: (expression) => sql`${expression}`,
  // Of two rows that it expects it merges all items with them, from the first one on.
  joinItem: (row, id) =>
    sql` cross join lateral (select * from item e where e.id = ${id}${FENCE}) ${sql.raw(row)}`,
  joinValues: (row, item, field) =>
    sql` cross join lateral (select * from field_value e where e.item = ${item} and e.field = ${field}${FENCE}) ${sql.raw(row)}`,
  // It expects as many rows as fields have on average, and puts whole tables together where it took all for one row.
  anyField: (field) => sql`(select ${field}::bigint)`,
  // Of a subquery from which it expects one row it would read all again for each value.
  isAmong: (value, rows) => sql`${value} = any(array(select t.item from (${rows}) t))`,
  // Where it takes one value for that of many rows it reads the whole table, in which the first should come soon.
  asIndexed: (row) => sql` order by ${sql.raw(row)}.item`,
  // A subquery with OFFSET is not turned into a semi-join.
  forEachRow: FENCE,
  hasEntry: (value) => sql`${value} is not null`,
  isEmptySet: (row) => sql.raw(`(${row}.text is null and ${row}.long = '')`),
  isMisfit: (row) =>
    sql.raw(`coalesce(${row}.text, ${row}.long, ${row}.num::text, ${row}.ref::text) is null`),
  inRange(value, kind, { lower, upper }: Range) {
    const from = lower && (lower.inclusive ? sql`${value} >= ${lower.value}` : sql`${value} > ${lower.value}`)
    const to = upper && (upper.inclusive ? sql`${value} <= ${upper.value}` : sql`${value} < ${upper.value}`)
    if (from && to) return sql`${from} and ${to}`
    return (from ?? to ?? sql`${value} is not null`) as RawBuilder<SqlBool>
  },
  isOneOf: (value, values, kind) =>
    values.length === 1 ? sql`${value} = ${values[0]}` : sql`${value} = any(${values}::${ARRAY[kind]})`,
  // Where a few of many names are on many items it expects them all to be, and reads the whole table.
  rowsOfEach: (texts, rowsOf) =>
    sql`select r.item from unnest(${texts}::text[]) w(text) cross join lateral (${rowsOf(sql`w.text`)} offset 0) r`,
  positionIn: (value, list) => sql`array_position(${list}::${ARRAY.text}, ${value}) - 1`,
  contains: (text, part) => sql`coalesce(strpos(${text}, ${part}) > 0, false)`,
  mayHold(text, folded) {
    const word = longestWord(folded)
    if (!word) return undefined
    return sql`(octet_length(${text}) <> length(${text}) or strpos(lower(${text}), ${word}) > 0)`
  },
  matches: settledBefore,
  containsAny: settledBefore,
  itemsWithWord(folded, before) {
    if (Array.from(folded).length + 1 < SHORTEST_INDEXED) return undefined
    // One look at the index: it serves patterns, and every one of these characters parts words for it.
    const word = `[${before.map(literally).join('')}]${Array.from(folded, literally).join('')}`
    return {
      rows: sql`select t.id as item from item_text t where t.waits is null and t.name ~ ${word}`,
      exact: true,
    }
  },
  itemsWithText: (sought) =>
    Array.from(sought.text).length < SHORTEST_INDEXED ? undefined : itemsWithTexts([sought]),
  itemsWithTexts,
  items: (rowIds) => sql`select unnest(${rowIds}::bigint[]) as item`,
  idsAsJson: (rows) => sql`(select coalesce(json_agg(l.item), '[]')::text from (${rows}) l)`,
  goesOn: () => undefined,
  joinOf: (name, item, { ofItem }) => sql` left join lateral (${ofItem(item)}) ${sql.raw(name)} on true`,
  needsFullText: fillsEntry,
  indexed: beginning,
}
