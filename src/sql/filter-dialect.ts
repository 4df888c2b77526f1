import type { Expression, RawBuilder, SqlBool } from 'kysely'

/**
 * How values of the index compare: `row_id` for has_tag and References, `full_text` for what must look at a text from
 * end to end, where an engine's index holds only the beginning of a long one.
 */
export type ValueKind = 'text' | 'full_text' | 'number' | 'row_id'

export interface Range {
  lower?: { value: string | number; inclusive: boolean } | undefined
  upper?: { value: string | number; inclusive: boolean } | undefined
}

export interface Several {
  rows(): RawBuilder<unknown>
  ofItem(item: RawBuilder<unknown>): RawBuilder<unknown>
}

/** Part of a folded text. */
export interface SoughtText {
  text: string
  /** Where it has to be; in either without it. */
  part?: 'name' | 'description' | undefined
}

/**
 * What compiled filters need of an engine. `row` is the alias of a `field_value` row; no comparison with its value
 * is true of a row that marks a mismatch of type or an empty set.
 */
export interface FilterDialect {
  value(row: string, kind: ValueKind): RawBuilder<unknown>
  /** The name of an item (`row` an alias of `item`), as `text` the way its index holds it. */
  name(row: string, kind: 'text' | 'full_text'): RawBuilder<unknown>
  /**
   * What a row that is found by its item or its key holds, written so that no index on values is chosen for it: a range
   * in one would be gone through for each item.
   */
  withoutIndex(expression: Expression<unknown>, kind: ValueKind): RawBuilder<unknown>
  /** What a column is compared with, without the type of the column that it comes from, to which one would be converted. */
  untyped(expression: Expression<unknown>): RawBuilder<unknown>
  /** Joins the item (row `row` of `item`) of a row id that the rows before it have, which is looked up for each of them. */
  joinItem(row: string, id: Expression<unknown>): RawBuilder<unknown>
  /** Joins the rows `row` of a field that an item has, which are looked up for each item that the rows before have. */
  joinValues(row: string, item: Expression<unknown>, field: number): RawBuilder<unknown>
  /** The id of a field as one of which nothing is known: what was counted of it may have become wrong. */
  anyField(field: number): RawBuilder<number>
  /** The value is one of the row ids of a query (`select … as item`), all of which are found first. */
  isAmong(value: Expression<unknown>, rows: Expression<unknown>): RawBuilder<SqlBool>
  /** Orders some of the rows of one value: read they are from the index, which has them in the order of their items. */
  asIndexed(row: string): RawBuilder<unknown>
  /** Ends a subquery that runs for each row by itself: the planner is not to make a join of it that drives the query. */
  readonly forEachRow: RawBuilder<unknown>
  /** What lets an index on values serve a comparison of (value, item), where that does not say it of itself. */
  hasEntry(value: Expression<unknown>): RawBuilder<SqlBool> | undefined
  isEmptySet(row: string): RawBuilder<SqlBool>
  /** The row marks a value that its field's type does not fit. */
  isMisfit(row: string): RawBuilder<SqlBool>
  /** The value is within bounds; text by code point. */
  inRange(value: Expression<unknown>, kind: ValueKind, range: Range): RawBuilder<SqlBool>
  /** These row ids, as `item`. */
  items(rowIds: readonly number[]): RawBuilder<{ item: number }>
  /** The row ids of a query (`select … as item`) as one JSON text. */
  idsAsJson(rows: RawBuilder<{ item: number }>): RawBuilder<string>
  /** The value is one of these, long ones among them only as `full_text`; one parameter, however many they are. */
  isOneOf(
    value: Expression<unknown>,
    values: readonly (string | number)[],
    kind: ValueKind,
  ): RawBuilder<SqlBool>
  /** The rows of each of many texts, which differ, where the engine would not look each up for `isOneOf`. */
  rowsOfEach(
    texts: readonly string[],
    rowsOf: (text: RawBuilder<string>) => RawBuilder<{ item: number }>,
  ): RawBuilder<{ item: number }> | undefined
  /** Where the text is in a list, from 0; null where it does not. One parameter, however long the list is. */
  positionIn(value: Expression<unknown>, list: readonly string[]): RawBuilder<unknown>
  /** What is in the index for a text: itself, or the beginning of a long one. */
  indexed(text: string): string
  /** Whether texts are distinguished from this one, given whole or as it is indexed, by `full_text` only. */
  needsFullText(text: string): boolean
  /**
   * True for every row, and where the work is to end it fails: for scans that probe each row by this many conditions.
   * Undefined where the engine is interrupted otherwise, or nothing is probed.
   */
  goesOn(row: Expression<unknown>, conditions: number): RawBuilder<SqlBool> | undefined
  /**
   * `left join … as name` of what an item has several of: SQLite makes an index of the `rows` (item and values) of all
   * items; PostgreSQL, which might go through them for each, looks up those `ofItem`.
   */
  joinOf(name: string, item: RawBuilder<unknown>, several: Several): RawBuilder<unknown>
  /** Case-sensitive substring of a text; false for a row that holds none. */
  contains(text: Expression<unknown>, part: string): RawBuilder<SqlBool>
  /**
   * False only of a text that has no such part when it is folded for search, by a look that costs next to nothing;
   * undefined where that says nothing.
   */
  mayHold(text: Expression<unknown>, folded: string): RawBuilder<SqlBool> | undefined
  /** The text, folded for search; null for a row that holds none. Undefined where the engine cannot fold. */
  folded?(text: Expression<unknown>): RawBuilder<string | null>
  /** The text, folded for search, has a part; undefined where the engine cannot fold. */
  containsFolded?(text: Expression<unknown>, part: string): RawBuilder<SqlBool>
  /** An RE2 pattern matches somewhere in a text; false for a row that holds none. */
  matches(text: Expression<unknown>, pattern: string): RawBuilder<SqlBool>
  /** Has one of many parts; false for a row that holds no text. */
  containsAny(text: Expression<unknown>, parts: readonly string[]): RawBuilder<SqlBool>
  /**
   * Row ids of items whose folded name or description (or the one of them that is given) has a part, through the text
   * index, as `item`; undefined where the part is too short for the index.
   */
  itemsWithText(text: SoughtText): RawBuilder<{ item: number }> | undefined
  /** The same of items that hold all of several parts, each long enough; without it `itemsWithText` gives the oldest first. */
  itemsWithTexts?(texts: readonly SoughtText[]): RawBuilder<{ item: number }>
  /**
   * The same of items in whose folded name the text is behind one of these characters; `exact` where the index
   * alone tells.
   */
  itemsWithWord(
    folded: string,
    before: readonly string[],
  ): { rows: RawBuilder<{ item: number }>; exact: boolean } | undefined
}
