import { PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { bindParameters, type Query } from '#src/sql/query.ts'
import { postgresBuilder, postgresDialect } from '#src/sql/postgres-dialect.ts'
import { statementName } from '#src/sql/postgres-connection.ts'

/** Lookups in one statement at the most. */
const MAX_GATHERED = 200
/** Statements of one query that are under way at once. */
const MAX_UNDER_WAY = 2

interface Waiting {
  values: readonly string[]
  resolve: (row: unknown) => void
  reject: (error: unknown) => void
}

/** The lookups of one query. */
interface Gathered {
  statement: { name: string; text: string; query_timeout: number }
  parameters: number
  waiting: Waiting[]
  underWay: number
  due: boolean
}

/**
 * Reads rows by key: those that are asked for while others are under way go along in one statement, each row read as
 * it comes after it was asked for. A statement costs the server and the connection more than a row (decision 112).
 */
export class PostgresLookups {
  private readonly pool: pg.Pool
  private readonly timeout: number
  private readonly byQuery = new Map<unknown, Gathered>()

  /** `timeout`: milliseconds after which a connection that does not answer is lost; others wait behind it. */
  constructor(pool: pg.Pool, timeout: number) {
    this.pool = pool
    this.timeout = timeout
  }

  /** The first row. Undefined, and nothing was asked, where the parameters are not all texts. */
  get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined> | undefined {
    const compiled = query.for(postgresDialect)
    const bound = bindParameters(compiled, values)
    if (!bound.length || !bound.every(isPlainText)) return undefined
    let gathered = this.byQuery.get(query)
    if (!gathered) this.byQuery.set(query, (gathered = gather(query, this.timeout)))
    return new Promise<unknown>((resolve, reject) => {
      gathered.waiting.push({ values: bound, resolve, reject })
      this.schedule(gathered)
    }) as Promise<Row | undefined>
  }

  /** What comes in during this turn of the event loop goes along. */
  private schedule(gathered: Gathered): void {
    if (gathered.due || gathered.underWay >= MAX_UNDER_WAY) return
    gathered.due = true
    setImmediate(() => {
      gathered.due = false
      if (gathered.waiting.length) void this.ask(gathered)
    })
  }

  private async ask(gathered: Gathered): Promise<void> {
    const batch = gathered.waiting.splice(0, MAX_GATHERED)
    gathered.underWay++
    if (gathered.waiting.length) this.schedule(gathered)
    try {
      const values = Array.from({ length: gathered.parameters }, (_, i) =>
        batch.map((each) => each.values[i]),
      )
      const { rows } = await this.pool.query<Record<string, unknown>>({ ...gathered.statement, values })
      const found = new Map<unknown, unknown>()
      for (const { [NUMBER]: number, ...row } of rows) if (!found.has(number)) found.set(number, row)
      for (const [i, { resolve }] of batch.entries()) resolve(found.get(i + 1))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      gathered.underWay--
      if (gathered.waiting.length) this.schedule(gathered)
    }
  }
}

/** PostgreSQL's text holds every character but NUL. */
const isPlainText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0')

/** The column that says which of the lookups a row belongs to, from 1. */
const NUMBER = '#'

class ColumnsForParameters extends PostgresQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return `k.p${this.numParameters}`
  }
}

/** Compiles `where key = k.p1` in place of `where key = $1`. */
const ofEach = postgresBuilder(() => new ColumnsForParameters())

/** `select … where key = $1` → the same for each element of arrays of texts. */
function gather<Values, Row>(query: Query<Values, Row>, query_timeout: number): Gathered {
  const { sql: single, parameters } = query.for(postgresDialect, ofEach)
  const numbers = parameters.map((_, i) => i + 1)
  // Behind a subselect the planner does not see how many they are: else each number of them is planned again.
  const text = `select k.n as "${NUMBER}", r.* from unnest(${numbers.map((i) => `(select $${i}::text[])`).join(', ')})
    with ordinality k(${numbers.map((i) => `p${i}, `).join('')}n) cross join lateral (${single}) r`
  const statement = { name: statementName(text), text, query_timeout }
  return { statement, parameters: parameters.length, waiting: [], underWay: 0, due: false }
}
