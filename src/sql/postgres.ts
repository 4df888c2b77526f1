import { createHash } from 'node:crypto'
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import pg from 'pg'
import { unreachable } from '#src/domain/errors.ts'
import type { IndexEntry } from '#src/domain/index-values.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { beginning, fillsEntry } from '#src/sql/long-text.ts'
import { postgresFilter } from '#src/sql/postgres-filter.ts'
import { postgresSchema } from '#src/sql/postgres-schema.ts'
import {
  bindParameters,
  type CompiledSql,
  type Db,
  type PatternMatcher,
  type Query,
  type RunResult,
} from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'

export const postgresDialect: Dialect = {
  name: 'postgres',
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  jsonQuote: (value) => sql`coalesce(to_json(${value})::text, 'null')`,
  texts: (list) => sql`(select json_array_elements_text(${list}::json))`,
  // The planner takes what it cannot see for ten, and looks each up. If it saw the list it would plan again each time.
  integers: (list) => sql`(select unnest((select translate(${list}, '[]', '{}')::bigint[])))`,
  joined: (value) => sql`string_agg(${value}::text, ',')`,
  foldedTexts: (json) =>
    sql`select (r ->> 0)::bigint as id, (r ->> 1) collate "C" as name, (r ->> 2) collate "C" as description from json_array_elements(${json}::json) r`,
  entries: (json) =>
    sql`select (r ->> 0)::bigint as item, (r ->> 1)::int as schema_version, r ->> 2 as field_values from json_array_elements(${json}::json) r`,
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
  fieldValue: {
    columns: ['num', 'text', 'ref', 'long'],
    encode: encodeEntry,
    asJson: (field, entry, item) => [field, item, ...encodeEntry(entry)],
    fromJson: (json) =>
      sql`select (r ->> 0)::bigint as field, (r ->> 1)::bigint as item, (r ->> 2)::float8 as num, (r ->> 3) collate "C" as text, (r ->> 4)::bigint as ref, (r ->> 5) collate "C" as long from json_array_elements(${json}::json) r`,
    rowId: 'ref',
    // Of a tag that was just applied to many it knows nothing yet, and would go through all of them for each.
    rowIdOfItem: sql`ref + 0`,
    entriesAfter: (field, place, limit) =>
      sql`select e.* from field_value e where e.field = ${field} and e.item > ${place?.highest ?? 0} order by e.item limit ${limit}`,
  },
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

const INT8 = 20

/** Row ids and counts stay far under 2^53, so bigint columns come back as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export interface PoolOptions {
  /** Connections at the most. */
  max: number
  /** Milliseconds that a connection may take to be made. */
  connect_timeout?: number
  /** Statements are sent one behind the other without waiting for answers. */
  pipeline?: boolean
  /** Looks at each new connection; one for which it rejects is not used. */
  check?: (client: pg.ClientBase) => Promise<void>
}

export function postgresPool(
  url: string,
  { max, connect_timeout = 10_000, pipeline = false, check }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline,
    types,
    application_name: 'facet',
    connectionTimeoutMillis: connect_timeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    verify: check && ((client, done) => void tell(check(client), done)),
  })
  // A lost connection fails the queries that run on it; unheard, the event would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  return pool
}

async function tell(work: Promise<void>, done: (fault?: Error) => void): Promise<void> {
  let fault: Error | undefined
  try {
    await work
  } catch (error) {
    fault = error as Error
  }
  done(fault)
}

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

interface ConnectionOptions extends Partial<Pick<Db, 'cache' | 'hints' | 'committed'>> {
  /** Reads rows by key, in place of a statement for each. */
  lookups?: Lookups
  /** Called before each statement; throws where the work is to end. */
  look?: () => void
}

/** A connection of the pool, or the pool itself where each statement may run on another connection. */
export class PostgresConnection implements Db {
  readonly dialect = postgresDialect
  readonly cache: Map<string, unknown>
  readonly hints: Map<string, unknown>
  readonly committed?: Map<string, unknown>
  readonly patterns: PatternMatcher
  private readonly client: pg.Pool | pg.ClientBase
  private readonly lookups: Lookups | undefined
  /** Called before each statement; throws where the work is to end. */
  look: () => void
  private readonly enqueued: Promise<unknown>[] = []

  constructor(
    client: pg.Pool | pg.ClientBase,
    patterns: PatternMatcher,
    { cache = new Map(), hints = new Map(), committed, lookups, look = () => {} }: ConnectionOptions = {},
  ) {
    this.client = client
    this.patterns = patterns
    this.cache = cache
    this.hints = hints
    if (committed) this.committed = committed
    this.lookups = lookups
    this.look = look
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
    this.look()
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
    answer.catch(() => {}) // whoever waits next hears of it
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

  /** After a failure the server refuses everything else: what failed first is what is to be told. */
  private async ask(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.look()
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

/** Kysely that executes, for migrations only. */
export function postgresExecutor(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
