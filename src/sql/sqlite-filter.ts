import type Database from 'better-sqlite3'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { matchesPattern } from '#src/domain/pattern.ts'
import { foldForSearch, longestWord } from '#src/domain/search-text.ts'
import { partsOf } from '#src/domain/text-parts.ts'
import type { FilterDialect, Range, ValueKind } from '#src/sql/filter-dialect.ts'
import { FIELD_VALUE, ITEM_TEXT, ITEM_TRIGRAM } from '#src/sql/live-views.ts'

const TRIGRAM = 3
/** In characters: the trigram index knows no shorter parts. */
const SHORTEST_INDEXED = TRIGRAM
/** The index is asked for parts up to this length as they are. Of longer ones it gives what looks like them, and the texts are looked at. */
const LONGEST_PHRASE = 10
/** Of longer parts the index is asked for the beginning. */
const LONGEST_INDEXED = 64
/** From one trigram that is asked for to the next. */
const STRIDE = 4

/** Bytes. Looking for a part in longer texts takes so long that it looks each time whether it may go on. */
const LONG_TEXT = 65_536
/** With more conditions a row takes longer than a look. */
const MANY = 64
/** With fewer, a row takes so little that to look at its id already counts, and a look in a thousand rows is enough. */
const SEVERAL = 4
/** Masks of row ids. */
const ROWS_BETWEEN = { several: 63, few: 1023 }

/**
 * SQLite orders values by type: numbers, then text, then blobs. Rows that mark a mismatch of type or an empty set hold a blob,
 * so a range that is open above ends where the next type begins.
 */
const ABOVE: Record<ValueKind, RawBuilder<unknown>> = {
  number: sql`''`,
  row_id: sql`''`,
  text: sql`x''`,
  full_text: sql`x''`,
}

/** A number of a JSON text as it is stored: JSON has the shortest digits of a whole number, which past 2^53 are another integer. */
export const jsonNumber = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when typeof(${value}) = 'integer' and ${value} not between ${sql.lit(Number.MIN_SAFE_INTEGER)} and ${sql.lit(Number.MAX_SAFE_INTEGER)} then ${value} * 1.0 else ${value} end`

export const sqliteFilter: FilterDialect = {
  value: (row) => sql.raw(`${row}.val`),
  name: (row) => sql.raw(`${row}.name`),
  withoutIndex: (expression) => sql`+${expression}`,
  untyped: (expression) => sql`+${expression}`,
  joinItem: (row, id) => sql` cross join item ${sql.raw(row)} on ${sql.raw(row)}.id = ${id}`,
  joinValues: (row, item, field) =>
    sql` cross join ${FIELD_VALUE} ${sql.raw(row)} on ${sql.raw(row)}.item = ${item} and ${sql.raw(row)}.field = ${field}`,
  anyField: (field) => sql`${field}`,
  // Without the type of the column that they come from: the value would be converted to it, past the index.
  isAmong: (value, rows) => sql`${value} in (select +t.item from (${rows}) t)`,
  asIndexed: () => sql``,
  forEachRow: sql``,
  hasEntry: () => undefined,
  isEmptySet: (row) => sql`${sql.raw(row)}.val = x''`,
  isMisfit: (row) => sql`${sql.raw(row)}.val = x'00'`,
  inRange(value, kind, { lower, upper }: Range) {
    const from = lower && (lower.inclusive ? sql`${value} >= ${lower.value}` : sql`${value} > ${lower.value}`)
    const to = upper
      ? upper.inclusive
        ? sql`${value} <= ${upper.value}`
        : sql`${value} < ${upper.value}`
      : sql`${value} < ${ABOVE[kind]}`
    return from ? sql`${from} and ${to}` : (to as RawBuilder<SqlBool>)
  },
  isOneOf: (value, values, kind) =>
    values.length === 1
      ? sql`${value} = ${values[0]}`
      : sql`${value} in (select ${kind === 'number' ? jsonNumber(sql`value`) : sql`value`} from json_each(${JSON.stringify(values)}))`,
  rowsOfEach: () => undefined, // it does look each up
  positionIn: (value, list) =>
    sql`(select p.key from json_each(${JSON.stringify(list)}) p where p.value = ${value})`,
  items: (rowIds) => sql`select value as item from json_each(${JSON.stringify(rowIds)})`,
  idsAsJson: (rows) => sql`(select json_group_array(l.item) from (${rows}) l)`,
  needsFullText: () => false,
  indexed: (text) => text,
  joinOf: (name, item, { rows }) =>
    sql` left join (${rows()}) ${sql.raw(name)} on ${sql.raw(name)}.item = ${item}`,
  contains: (text, part) =>
    sql`(typeof(${text}) = 'text' and (octet_length(${text}) < ${sql.lit(LONG_TEXT)} or goes_on()) and instr(${text}, ${part}) > 0)`,
  goesOn(row, conditions) {
    if (!conditions) return undefined
    if (conditions > MANY) return sql`goes_on(${row})`
    const rows = conditions < SEVERAL ? ROWS_BETWEEN.few : ROWS_BETWEEN.several
    return sql`(${row} & ${sql.lit(rows)} or goes_on(${row}))`
  },
  folded: (text) => sql`case when typeof(${text}) = 'text' then fold_for_search(${text}) end`,
  containsFolded: (text, part) =>
    sql`(typeof(${text}) = 'text' and instr(fold_for_search(${text}), ${part}) > 0)`,
  mayHold(text, folded) {
    const word = longestWord(folded)
    if (!word) return undefined
    return sql`(octet_length(${text}) <> length(${text}) or instr(lower(${text}), ${word}) > 0)`
  },
  matches: (text, pattern) => sql`matches_pattern(${pattern}, ${text})`,
  containsAny: (text, parts) => sql`contains_any(${JSON.stringify(parts)}, ${text})`,
  itemsWithWord(folded, before) {
    const length = Array.from(folded).length + 1
    if (length < SHORTEST_INDEXED) return undefined
    const isPhrase = length <= LONGEST_PHRASE
    const words = before.map((each) =>
      isPhrase ? quoted(each + folded) : sampledTrigrams(Array.from(each + folded).slice(0, LONGEST_INDEXED)),
    )
    return {
      rows: sql`select rowid as item from ${ITEM_TRIGRAM} where item_trigram match ${`name : (${words.join(' OR ')})`}`,
      exact: isPhrase,
    }
  },
  itemsWithText({ text, part }) {
    const characters = Array.from(text)
    if (characters.length < SHORTEST_INDEXED) return undefined
    const within = part ? `${part} : ` : ''
    if (characters.length <= LONGEST_PHRASE)
      return sql`select rowid as item from ${ITEM_TRIGRAM} where item_trigram match ${within + quoted(text)}`
    const sampled = within + sampledTrigrams(characters.slice(0, LONGEST_INDEXED))
    const columns = part ? [part] : ['name', 'description']
    const holds = columns.map((each) => sql`instr(t.${sql.raw(each)}, ${text}) > 0`)
    return sql`select f.rowid as item from ${ITEM_TRIGRAM} f cross join ${ITEM_TEXT} t where item_trigram match ${sampled} and t.id = f.rowid and (${sql.join(holds, sql` or `)})`
  },
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/**
 * What all texts match in which these characters are, and hardly another one does: some of their trigrams, no
 * farther from each other. The index has a list for each trigram, and reading them is what a search costs.
 */
function sampledTrigrams(characters: readonly string[]): string {
  const last = characters.length - TRIGRAM
  const trigrams: string[] = []
  for (let at = 0; at < last; at += STRIDE) trigrams.push(characters.slice(at, at + TRIGRAM).join(''))
  trigrams.push(characters.slice(last).join(''))
  return `NEAR(${trigrams.map(quoted).join(' ')}, ${last - 1})`
}

/** Registers on a connection what filters call. `look` throws where the work is to end. */
export function addFilterFunctions(raw: Database.Database, throwIfEnded: () => void): void {
  raw.function('matches_pattern', { deterministic: true }, (pattern, text) => {
    throwIfEnded()
    return typeof text === 'string' && matchesPattern(pattern as string, text, throwIfEnded) ? 1 : 0
  })
  raw.function('contains_any', { deterministic: true }, (parts, text) => {
    throwIfEnded()
    return typeof text === 'string' && partsOf(parts as string).isIn(text) ? 1 : 0
  })
  raw.function('goes_on', () => {
    throwIfEnded()
    return 1
  })
  raw.function('goes_on', (_row) => {
    throwIfEnded()
    return 1
  })
  raw.function('fold_for_search', { deterministic: true }, (text) => {
    throwIfEnded()
    return foldForSearch(text as string)
  })
}
