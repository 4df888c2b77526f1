import type { ColumnDefinitionBuilder, Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { IndexEntry } from '#src/domain/index-values.ts'
import type { FilterDialect } from '#src/sql/filter-dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** What one engine writes differently from the other. Nothing outside `sql/` asks which engine it is. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Compiles only; running is the connection's. */
  readonly builder: Kysely<Tables>

  /** JSON text (a string literal with its quotes, a number, null) of a text or number expression. */
  jsonQuote(value: Expression<unknown>): RawBuilder<string>
  /** The elements of a JSON array (one parameter, whatever its length) as a one-column subquery. */
  texts(list: Expression<unknown> | string): RawBuilder<string>
  /** … of integers; in `from`, where no table has to be looked up for them, rows of `value`. */
  integers(list: Expression<unknown> | string): RawBuilder<number>
  /** An aggregate: integers with commas between them; null of none. */
  joined(value: Expression<unknown>): RawBuilder<string | null>
  /** An aggregate of rows that the statement reads in the order of `order`: their texts with commas between them. */
  joinedInOrder(text: Expression<unknown>, order: Expression<unknown>): RawBuilder<string>
  /** A template of text and expressions, none of which is null, as one text. */
  pasted(text: readonly string[], ...expressions: Expression<unknown>[]): RawBuilder<string>
  /** `select` of rows (id, name, description) out of a JSON array of arrays. */
  foldedTexts(json: string): RawBuilder<unknown>
  /** `select` of rows (item, field_values) out of a JSON object: a text by row id. */
  entries(json: string): RawBuilder<unknown>

  /** A column of row ids where rows are to be looked up by item: no index that begins with it is chosen. */
  ofItems(column: string): RawBuilder<number>
  /** That an item is deleted, where items are looked up by id: no index of all deleted ones is chosen. */
  readonly isDeleted: RawBuilder<SqlBool>

  /** How the engine tells the way in which it would carry out a statement: what comes before it, and a line of the answer. */
  readonly explain: { readonly prefix: string; line(row: Record<string, unknown>): string }

  /** The later of a time and of a millisecond after the one that is in a column (both as text). */
  later(column: Expression<unknown>, now: string): RawBuilder<string>
  /** Arithmetic of Numbers in the value index that rounds nothing. */
  readonly whole: WholeNumbers

  /** `select … as n`: how many rows an index gives, where they are more than `most` one more than that. */
  countedUpTo(rows: RawBuilder<unknown>, most: number): RawBuilder<{ n: number }>

  readonly begin: {
    /** Of a transaction that nobody else's writes come between. */
    readonly write: string
    /** Of one that reads everything as it stood at one moment. */
    readonly snapshot: string
  }
  readonly rowIds: RowIdDialect
  /** Statements, outside a transaction, by which the engine gets to know much that was loaded. */
  readonly afterLoading: readonly string[]

  /** Null where to put long texts together in an order would sort them all. */
  readonly lists: ListDialect | null
  readonly fieldValue: FieldValueDialect
  /** Whether what many deleted items have in the indexes may stay for a while: the connection keeps it out of sight. */
  readonly leavesLater: boolean
  /** Whether a planned change may write rows of items while others write, and see what these have changed (decision 110). */
  readonly writesAhead: boolean
  /** Takes texts that wait (row ids) out of the trigram index as it has them; null where what has gone from a table has gone from it. */
  readonly forgetTexts: ((ids: string) => RawBuilder<unknown>) | null
  /** Whether indexes can be dropped and made anew within a transaction that keeps nobody from reading. */
  readonly rebuildsIndexes: boolean
  /** Names that a transaction holds until it ends, for all processes to see; null where there is one process. */
  readonly names: NamesDialect | null
  readonly filter: FilterDialect
  readonly schema: SchemaDialect
}

interface NamesDialect {
  hold(name: Expression<unknown> | string): RawBuilder<unknown>
  /** True where nobody holds it. */
  isFree(name: Expression<unknown> | string): RawBuilder<boolean>
}

interface ListDialect {
  /** Rows (value) of a JSON array of integers, in its order; what is cross joined to them keeps it. */
  rows(list: Expression<unknown> | string): RawBuilder<{ value: number }>
  /** An aggregate: texts of the rows as they come, one behind the other. */
  texts(text: Expression<unknown>): RawBuilder<string | null>
  /** An aggregate: the bytes of a JSON array of the rows' JSON texts, as they come. */
  array(json: Expression<unknown>): RawBuilder<Buffer>
}

/** Of numbers that are whole and within 2^53. */
interface WholeNumbers {
  isWhole(value: Expression<unknown>): RawBuilder<SqlBool>
  /** Rounded towards zero. */
  quotient(value: Expression<unknown>, divisor: number): RawBuilder<number>
  /** With the sign of the value. */
  remainder(value: Expression<unknown>, divisor: number): RawBuilder<number>
}

/** The row ids that a table gives out. */
interface RowIdDialect {
  /** `select … as last`: the newest that it has given out, 0 for none. */
  last(table: keyof Tables): RawBuilder<{ last: number }>
  /** Statements that make it go on after `last`. */
  goOnAfter(table: keyof Tables, last: number): readonly RawBuilder<unknown>[]
}

/** How `field_value` holds a value besides its `field` and `item`. */
export interface FieldValueDialect {
  readonly columns: readonly string[]
  /** An entry in the order of `columns`. */
  encode: (entry: IndexEntry) => unknown[]
  /** An entry with its field and item, as `fromJson` reads it. */
  asJson(field: number, entry: IndexEntry, item: number): unknown[]
  /** `select` of field, item and `columns` out of a JSON array of those. */
  fromJson(json: string): RawBuilder<unknown>
  /** The column in which a reference, or for has_tag the tag, is as a row id. */
  readonly rowId: string
  /** The same where rows are to be looked up by item: no index on values is chosen for it. */
  readonly rowIdOfItem: RawBuilder<number>
  /** `from … where …`: rows `v` that items of a list have of a field. Of a long list too each is looked up by its item. */
  ofItems(field: number, items: string): RawBuilder<unknown>
  /**
   * So many rows of a field, by whichever order an index has: behind (`val`, `item`) in that of values, behind
   * `highest` in that of items.
   */
  entriesAfter(
    field: number,
    place: { val: unknown; item: number; highest: number } | undefined,
    limit: number,
  ): RawBuilder<unknown>
}

/** What migrations need. */
export interface SchemaDialect {
  /** A statement failed because a table is not there. */
  isMissingTable(error: unknown): boolean
  /** Makes every other process that would change the schema wait until this transaction ends. */
  lockSchema(db: Kysely<Tables>): Promise<void>
  /** Type of a row id that counts up and is never reused, and how it is declared. */
  readonly rowId: 'integer' | 'bigint'
  autoIncrement(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Added to a table that is read by its primary key only, so that the key is the table. */
  readonly clustered: RawBuilder<unknown>
  /** Text that compares by code point. */
  readonly text: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  createNameIndex(db: Kysely<Tables>): Promise<void>
  /** What the engine itself keeps in the database. */
  createEngineTables(db: Kysely<Tables>): Promise<void>
  createFieldValueTable(db: Kysely<Tables>): Promise<void>
  /** What searches read in place of index rows and folded texts while items are leaving; see `leavesLater`. */
  createLiveViews(db: Kysely<Tables>): Promise<void>
  /** `item_text` and its trigram index. */
  createItemTextTable(db: Kysely<Tables>): Promise<void>
  /** From now on the trigram index gets no entries of texts that wait, and waiting ones are remembered as tags are. */
  letTextsWait(db: Kysely<Tables>): Promise<void>
  /** From now on the planner is told by `costs_a_text(id)`, which is true, that a text is read for that row; of what it is asked of the planner expects a third. */
  priceTexts(db: Kysely<Tables>): Promise<void>
  /** By which items are found whose folded name is, or begins with, a text. */
  createSearchTextIndex(db: Kysely<Tables>): Promise<void>
  /** All live items by shorter name, then newest change, then newest item. */
  createRankIndex(db: Kysely<Tables>): Promise<void>
  /** A character of the text is in one of the ranges. */
  holdsOneOf(text: RawBuilder<unknown>, ranges: CharacterRanges): RawBuilder<SqlBool>
  /**
   * The database itself refuses UPDATE and DELETE on the table, and to replace a row by its `unique` columns. With
   * `horizon`, rows whose `created_at` is before what is in that table's only row may be deleted.
   */
  makeAppendOnly(
    db: Kysely<Tables>,
    table: keyof Tables,
    unique: readonly string[],
    horizon?: Horizon,
  ): Promise<void>
  /** Long texts of that column are written as they are: they do not stay for long. */
  keepUncompressed(db: Kysely<Tables>, table: keyof Tables, column: string): Promise<void>
  /** From now on the append-only table takes an UPDATE for which this holds of its `old` and `new`, and no other. */
  letUpdatesThrough(db: Kysely<Tables>, table: keyof Tables, condition: RawBuilder<unknown>): Promise<void>
  /** Whether that still holds, but for what it lets through: old rows that are swept, or certain updates. */
  isAppendOnly(db: Kysely<Tables>, table: keyof Tables, lets: 'sweep' | 'update' | null): Promise<boolean>
}

/** The first character of each and the last. */
export type CharacterRanges = readonly (readonly [string, string])[]

export interface Horizon {
  table: keyof Tables
  column: string
}
