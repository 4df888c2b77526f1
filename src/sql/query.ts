import type { TextTest } from '#src/domain/text-test.ts'
import type { Compilable, Kysely, RootOperationNode } from 'kysely'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** SQL text with its parameters in order. */
export interface CompiledSql {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** What it was compiled from, where that is known: by this it can be compiled otherwise. */
  readonly query?: RootOperationNode
}

export interface RunResult {
  /** Rows inserted, updated or deleted. */
  changes: number
}

export interface PatternMatcher {
  /** Positions of the texts of which the test holds; of null none does. */
  match(test: TextTest, texts: readonly (string | null)[], end?: Ending): Promise<number[]>
}

/** The caller may stop waiting: `cancel` is called then. */
export interface Ending {
  during<T>(cancel: () => void, work: () => Promise<T>): Promise<T>
}

/** Bytes of texts that one transaction enters into the trigram index: of the worst texts a quarter of a second. */
export const MOST_ENTERED = 2 ** 18

export interface Room {
  /** Bytes of texts that may still be entered into the trigram index; what is more is entered after it. */
  texts: number
  /** Some of those that it writes wait. */
  has_waiting?: boolean
}

/**
 * Parts of a planned change whose rows are written already, by their place in the plan. Who takes one over removes it:
 * a transaction with one that is left over is not committed (decision 110).
 */
export interface WrittenAhead {
  readonly parts: Set<number>
}

export type ReserveRowIds = (table: keyof Tables, count: number) => Promise<number[] | undefined>

/**
 * A connection that runs compiled SQL. Kysely compiles and never executes (executing through it costs ten times as
 * much); statements are kept by their text (decision 3).
 */
export interface Db {
  readonly dialect: Dialect
  /**
   * What is remembered of the database (e.g. parsed tags) by keys of the rememberer's own. Dropped whole when it
   * may have become untrue: after a rollback and after a commit of another connection. Anyone who changes a row on this
   * connection removes what it had cached of it. Bounded by the one that fills it.
   */
  readonly cache: Map<string, unknown>
  /** What may be stale without harm, e.g. counts for the planner; outlives calls. Bounded by the one that fills it. */
  readonly hints: Map<string, unknown>
  /**
   * What is remembered across calls and brought up to date from the log. Only where each call reads one snapshot of
   * what is committed. Bounded by the one that fills it.
   */
  readonly committed?: Map<string, unknown>
  /** What the transaction under way may still do while others wait for it; a recording, or a narrowed one, shares it. */
  readonly room: Room
  /** Of a large change: what its transaction has written before it was its turn. */
  readonly ahead?: WrittenAhead | undefined
  /**
   * Of a plan, where rows may be written ahead: row ids that the table gives to nothing else from now on; undefined
   * where there are none to be had now.
   */
  readonly reserveRowIds?: ReserveRowIds | undefined
  /** Matches RE2 patterns where the engine itself cannot. */
  readonly patterns?: PatternMatcher
  all<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]>
  /** The first row. */
  get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined>
  run<Values, Row>(query: Query<Values, Row>, values: Values): Promise<RunResult>
  /**
   * A change of which nobody asks how many rows it met. What follows may be sent before it is answered, so a failure
   * may come out with a later statement, at the latest with the call.
   */
  enqueue<Values, Row>(query: Query<Values, Row>, values: Values): Promise<unknown>
  /** The same of what was compiled elsewhere, on a connection of the same engine. */
  enqueueCompiled(statement: CompiledSql): Promise<unknown>
  /** For SQL that a request shapes (filters): compiled each time, its statement found by its text. */
  select<Row>(compilable: Compilable<Row> | CompiledSql): Promise<Row[]>
}

/** Stands for a parameter of each call; to Kysely it is a value like any other, so it ends up in `parameters`. */
export class Parameter {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

const PARAMETERS = new Proxy({}, { get: (_, key) => new Parameter(String(key)) })

type Build<Values, Row> = (parameters: Values, sql: Kysely<Tables>, dialect: Dialect) => Compilable<Row>

/** A fixed query, compiled once by each builder on its first use. Made by `query`. */
export class Query<Values, Row> {
  private readonly build: Build<Values, Row>
  private readonly compiled = new Map<Kysely<Tables>, CompiledSql>()

  constructor(build: Build<Values, Row>) {
    this.build = build
  }

  for(dialect: Dialect, builder: Kysely<Tables> = dialect.builder): CompiledSql {
    let found = this.compiled.get(builder)
    if (!found) {
      const { sql, parameters } = this.build(PARAMETERS as Values, builder, dialect).compile()
      found = { sql, parameters }
      this.compiled.set(builder, found)
    }
    return found
  }
}

/** `const itemRow = query((p: { item_id: string }, sql) => sql.selectFrom('item').selectAll().where('item_id', '=', p.item_id))` */
export function query<Values, Row>(build: Build<Values, Row>): Query<Values, Row> {
  return new Query(build)
}

/** The parameters of one call, in the order in which the SQL text has them; an array is in that order already. */
export function bindParameters<Values>({ parameters }: CompiledSql, values: Values): unknown[] {
  if (Array.isArray(values)) return values
  const byKey = values as Record<string, unknown>
  return parameters.map((each) => (each instanceof Parameter ? byKey[each.key] : each))
}
