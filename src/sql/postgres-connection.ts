import { createHash } from 'node:crypto'
import type { Compilable } from 'kysely'
import type pg from 'pg'
import { matcherUntil } from '#src/sql/pattern-thread.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import {
  bindParameters,
  type CompiledSql,
  type Db,
  MOST_ENTERED,
  type PatternMatcher,
  type Query,
  type ReserveRowIds,
  type Room,
  type RunResult,
  type WrittenAhead,
} from '#src/sql/query.ts'

/** Names of prepared statements by their text: 63 bytes are all that a name may have. */
const names = new Map<string, string>()
export function statementName(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = createHash('sha256').update(text).digest('base64url')))
  return name
}

/** Statements under way whose answers nobody waits for yet. */
const MAX_ENQUEUED = 32

interface Lookups {
  /** The first row; undefined, and nothing was asked, where it cannot be read together with others. */
  get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined> | undefined
}

interface ConnectionOptions extends Partial<
  Pick<Db, 'cache' | 'hints' | 'committed' | 'ahead' | 'reserveRowIds'>
> {
  /** Reads rows by key, in place of a statement for each. */
  lookups?: Lookups
  /** Called before each statement; throws where the work is to end. */
  throwIfEnded?: () => void
  room?: Room
}

/** A connection of the pool, or the pool itself where each statement may run on another connection. */
export class PostgresConnection implements Db {
  readonly dialect = postgresDialect
  readonly cache: Map<string, unknown>
  readonly hints: Map<string, unknown>
  readonly committed?: Map<string, unknown>
  readonly patterns: PatternMatcher
  readonly room: Room
  readonly ahead?: WrittenAhead | undefined
  readonly reserveRowIds?: ReserveRowIds | undefined
  private readonly client: pg.Pool | pg.ClientBase
  private readonly lookups: Lookups | undefined
  /** Called before each statement; throws where the work is to end. */
  throwIfEnded: () => void
  private readonly enqueued: Promise<unknown>[] = []

  constructor(
    client: pg.Pool | pg.ClientBase,
    patterns: PatternMatcher,
    {
      cache = new Map(),
      hints = new Map(),
      committed,
      lookups,
      throwIfEnded: look = () => {},
      room,
      ahead,
      reserveRowIds,
    }: ConnectionOptions = {},
  ) {
    this.client = client
    this.patterns = matcherUntil(patterns, () => this.throwIfEnded())
    this.cache = cache
    this.hints = hints
    if (committed) this.committed = committed
    this.ahead = ahead
    this.reserveRowIds = reserveRowIds
    this.lookups = lookups
    this.room = room ?? { texts: MOST_ENTERED }
    this.throwIfEnded = look
  }

  async all<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    return (await this.ask(prepared(query, values))).rows as Row[]
  }

  async get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined> {
    const gathered = this.lookups?.get(query, values)
    return gathered ?? ((await this.ask(prepared(query, values))).rows[0] as Row | undefined)
  }

  async run<Values, Row>(query: Query<Values, Row>, values: Values): Promise<RunResult> {
    return { changes: (await this.ask(prepared(query, values))).rowCount ?? 0 }
  }

  async enqueue<Values, Row>(query: Query<Values, Row>, values: Values): Promise<void> {
    await this.sendWithRoom(prepared(query, values))
  }

  async enqueueCompiled({ sql: text, parameters }: CompiledSql): Promise<void> {
    await this.sendWithRoom({ name: statementName(text), text, values: [...parameters] })
  }

  private async sendWithRoom(statement: pg.QueryConfig): Promise<void> {
    this.throwIfEnded()
    if (this.enqueued.length >= MAX_ENQUEUED) await this.settled()
    this.send(statement)
  }

  async select<Row>(compilable: Compilable<Row> | CompiledSql): Promise<Row[]> {
    const { sql: text, parameters } = 'compile' in compilable ? compilable.compile() : compilable
    return (await this.ask({ text, values: [...parameters] })).rows as Row[]
  }

  /** As `exec`, without waiting for it. */
  send(statement: string | pg.QueryConfig): void {
    const answer = this.client.query(statement as pg.QueryConfig)
    answer.catch(() => {}) // the next that waits hears of it
    this.enqueued.push(answer)
  }

  /** Waits for what was sent without waiting. Throws its first failure. */
  async settled(): Promise<void> {
    for (const answer of this.enqueued.splice(0)) await answer
  }

  /** Takes back the transaction, or what came since the savepoint. */
  async rollback(to?: string): Promise<void> {
    this.cache.clear()
    this.enqueued.length = 0
    await this.exec(to ? `rollback to ${to}` : 'rollback')
  }

  /** Runs SQL text without parameters, e.g. BEGIN. */
  async exec(text: string): Promise<void> {
    await this.settled()
    await this.client.query(text)
  }

  /** After a failure the server refuses everything else: what failed first is what is to be reported. */
  private async ask(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.throwIfEnded()
    try {
      return await this.client.query(statement)
    } catch (error) {
      await this.settled()
      throw error
    }
  }
}

function prepared<Values, Row>(query: Query<Values, Row>, values: Values): pg.QueryConfig {
  const compiled = query.for(postgresDialect)
  return { name: statementName(compiled.sql), text: compiled.sql, values: bindParameters(compiled, values) }
}
