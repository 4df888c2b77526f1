import Database from 'better-sqlite3'
import {
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { BoundedCache } from '#src/domain/bounded-cache.ts'
import { unreachable } from '#src/domain/errors.ts'
import type { IndexEntry } from '#src/domain/index-values.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { bindParameters, type CompiledSql, type Db, type Query, type RunResult } from '#src/sql/query.ts'
import { addFilterFunctions, sqliteFilter } from '#src/sql/sqlite-filter.ts'
import { sqliteSchema } from '#src/sql/sqlite-schema.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Bytes of the engine's memory that a prepared statement takes for a character of its text, measured with filters. */
const STATEMENT_WEIGHT = 15
/** Prepared statements that a connection keeps, by the length of their texts: a wide filter makes one of 100 KB. */
const STATEMENTS = { entries: 500, size: 2_000_000, unused: 600_000 }
/**
 * Pages of the file in memory. Those that a large change has touched stay until it commits: else they are written more
 * than once. Otherwise fewer are better: many a COMMIT goes over all of them.
 */
const CACHE_KB = { usually: 16_384, 'of a large change': 65_536 }
/** Older ones can lose committed writes when a write races a checkpoint (WAL-reset bug). */
const OLDEST_SQLITE = [3, 51, 3]

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  jsonQuote: (value) => sql`json_quote(${value})`,
  texts: (list) => sql`(select value from json_each(${list}))`,
  integers: (list) => sql`(select value from json_each(${list}))`,
  joined: (value) => sql`group_concat(${value})`,
  foldedTexts: (json) =>
    sql`select value ->> 0 as id, value ->> 1 as name, value ->> 2 as description from json_each(${json})`,
  entries: (json) =>
    sql`select value ->> 0 as item, value ->> 1 as schema_version, value ->> 2 as field_values from json_each(${json})`,
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
  fieldValue: {
    columns: ['val'],
    encode: (entry) => [encodeEntry(entry)],
    // JSON knows no blobs.
    asJson: (field, entry, item) => [field, item, valueOf(entry) ?? null, entry.as === 'empty'],
    fromJson: (json) =>
      sql`select value ->> 0 as field, value ->> 1 as item, coalesce(value ->> 2, case value ->> 3 when 1 then x'' else x'00' end) as val from json_each(${json})`,
    rowId: 'val',
    rowIdOfItem: sql`val`,
    entriesAfter: (field, place, limit) =>
      sql`select e.val, e.item from field_value e where e.field = ${field}${place ? sql` and (e.val, e.item) > (${place.val}, ${place.item})` : sql``} order by e.val, e.item limit ${limit}`,
  },
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

export interface SqliteOptions {
  readonly?: boolean
}

/** One SQLite connection. Its methods answer at once; they are promises because the other engine's are. */
export class SqliteConnection implements Db {
  readonly dialect = sqliteDialect
  readonly raw: Database.Database
  readonly cache = new Map<string, unknown>()
  readonly hints = new Map<string, unknown>()
  committed?: Map<string, unknown>
  /** Milliseconds that a statement waits for another program's lock. */
  readonly busyTimeout = 5000
  /** Looks whether the work is to end, and throws then: between statements and within long ones. */
  look: () => void = () => {}
  private dataVersion: unknown
  /**
   * What statements weigh, for as long as each lives. What the engine allocates is not seen by the collector of garbage,
   * which alone ends a statement: without these, which are never written to, it would let hundreds of megabytes pile up.
   */
  private readonly weights = new WeakMap<Database.Statement, ArrayBuffer>()
  private readonly statements = new BoundedCache<Database.Statement>(STATEMENTS)

  constructor(file: string, { readonly = false }: SqliteOptions = {}) {
    this.raw = new Database(file, { readonly })
    refuseOldSqlite(this.raw)
    addFilterFunctions(this.raw, () => this.look())
    if (!readonly) this.raw.pragma('journal_mode = WAL')
    if (!readonly) this.keepPages('usually')
    // FULL: better-sqlite3's build opens WAL files at NORMAL, which can lose acknowledged writes at a power cut.
    for (const each of [
      'synchronous = FULL',
      'foreign_keys = ON',
      `busy_timeout = ${this.busyTimeout}`,
      'trusted_schema = OFF',
      'temp_store = MEMORY',
      // What is deleted is overwritten, so that it cannot be read from the file: purged content, given-up secrets.
      'secure_delete = ON',
    ])
      this.raw.pragma(each)
  }

  statement(text: string): Database.Statement {
    this.look()
    return this.prepared(text)
  }

  private prepared(text: string): Database.Statement {
    let found = this.statements.get(text)
    if (found) return found
    found = this.raw.prepare(text)
    this.weights.set(found, new ArrayBuffer(STATEMENT_WEIGHT * text.length))
    this.statements.set(text, found, text.length)
    return found
  }

  async all<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    const compiled = query.for(sqliteDialect)
    return this.statement(compiled.sql).all(bindParameters(compiled, values)) as Row[]
  }

  async get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined> {
    const compiled = query.for(sqliteDialect)
    return this.statement(compiled.sql).get(bindParameters(compiled, values)) as Row | undefined
  }

  async run<Values, Row>(query: Query<Values, Row>, values: Values): Promise<RunResult> {
    const compiled = query.for(sqliteDialect)
    return this.statement(compiled.sql).run(bindParameters(compiled, values))
  }

  enqueue<Values, Row>(query: Query<Values, Row>, values: Values): Promise<unknown> {
    return this.run(query, values)
  }

  async enqueueCompiled({ sql: text, parameters }: CompiledSql): Promise<unknown> {
    return this.statement(text).run(parameters)
  }

  async select<Row>(compilable: Compilable<Row> | CompiledSql): Promise<Row[]> {
    const { sql: text, parameters } = 'compile' in compilable ? compilable.compile() : compilable
    return this.statement(text).all(parameters) as Row[]
  }

  /** Before each call: drops the cache if another connection has committed since the last one; whether one has. */
  refresh(): boolean {
    const version = (this.statement('PRAGMA data_version').get() as { data_version: number }).data_version
    const changed = version !== this.dataVersion
    if (changed) this.cache.clear()
    this.dataVersion = version
    return changed
  }

  /** Takes back the transaction, or what came since the savepoint. */
  rollback(to?: string): void {
    this.cache.clear()
    this.exec(to ? `ROLLBACK TO ${to}` : 'ROLLBACK')
  }

  /** Runs SQL text that answers no rows, e.g. BEGIN. */
  exec(text: string): void {
    this.prepared(text).run()
  }

  /** How many pages of the file stay in memory. */
  keepPages(when: keyof typeof CACHE_KB): void {
    this.raw.pragma(`cache_size = -${CACHE_KB[when]}`)
  }

  get inTransaction(): boolean {
    return this.raw.inTransaction
  }

  /** Rows that were inserted, updated or deleted since it was opened; what was taken back too. */
  get changes(): number {
    return (this.prepared('select total_changes() as n').get() as { n: number }).n
  }

  close(): void {
    this.statements.clear()
    this.raw.close()
  }
}

function refuseOldSqlite(raw: Database.Database): void {
  const version = raw.prepare('select sqlite_version()').pluck().get() as string
  const parts = version.split('.').map(Number)
  const older = OLDEST_SQLITE.findIndex((part, i) => part !== parts[i])
  if (older >= 0 && (parts[older] ?? 0) < OLDEST_SQLITE[older]!)
    throw new Error(
      `SQLite ${version} can lose committed writes; Facet needs ${OLDEST_SQLITE.join('.')} or newer`,
    )
}

/** Kysely that executes, for migrations only. */
export function sqliteExecutor(raw: Database.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new MigrationDialect({ database: raw }) })
}

class MigrationDialect extends SqliteDialect {
  private readonly config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.config = config
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.config)
  }
}

/** Kysely's own begins deferred: two processes could both read what is applied before one of them writes. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
