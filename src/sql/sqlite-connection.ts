import Database from 'better-sqlite3'
import type { Compilable } from 'kysely'
import { BoundedCache } from '#src/domain/bounded-cache.ts'
import {
  bindParameters,
  type CompiledSql,
  type Db,
  MOST_ENTERED,
  type Query,
  type Room,
  type RunResult,
} from '#src/sql/query.ts'
import { fileFault } from '#src/sql/database-file.ts'
import { readsViews, recompiled } from '#src/sql/live-views.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { addFilterFunctions } from '#src/sql/sqlite-filter.ts'

/** Bytes of the engine's memory that a prepared statement takes for a character of its text, measured with filters. */
const STATEMENT_WEIGHT = 15
/** Prepared statements that a connection keeps, by the length of their texts: a wide filter makes one of 100 KB. */
const STATEMENTS = { entries: 500, size: 500_000, unused: 600_000 }
/**
 * Pages of the file in memory. Those that a large change has touched stay until it commits: else they are written more
 * than once. Otherwise fewer are better: many a COMMIT goes over all of them. A long read goes through more than stay.
 */
const CACHE_KB = { usually: 8_192, 'of a large change': 65_536, 'of long reads': 4_096 }
const ANY_LEAVING = 'select 1 from leaving_item limit 1'
/** How a statement begins by which items leave. */
const LETS_LEAVE = 'insert into "leaving_item"'
/** Compiles what is read while some are leaving. */
const liveBuilder = sqliteDialect.builder.withPlugin(readsViews)
/** Older ones can lose committed writes when a write races a checkpoint (WAL-reset bug). */
const OLDEST_SQLITE = [3, 51, 3]

export interface SqliteOptions {
  readonly?: boolean
  /** What it has not, where its schema is not that of the base. */
  dialect?: Dialect
}

/** One SQLite connection. Its methods answer at once; they are promises because the other engine's are. */
export class SqliteConnection implements Db {
  readonly dialect: Dialect
  readonly raw: Database.Database
  readonly cache = new Map<string, unknown>()
  readonly hints = new Map<string, unknown>()
  committed?: Map<string, unknown>
  /** Commands, for which nobody waits, may do what they have to. */
  readonly room: Room = { texts: Infinity }
  /** Milliseconds that a statement waits for another program's lock. */
  readonly busyTimeout = 5000
  /** Looks whether the work is to end, and throws then: between statements and within long ones. */
  throwIfEnded: () => void = () => {}
  private dataVersion: unknown
  /** Whether deleted items may have rows in the indexes, which nothing that is read must show. */
  private itemsLeave: boolean | undefined
  private readonly writes: boolean
  /**
   * What statements weigh, for as long as each lives. What the engine allocates is not seen by the collector of garbage,
   * which alone ends a statement: without these, which are never written to, it would let hundreds of megabytes pile up.
   */
  private readonly weights = new WeakMap<Database.Statement, ArrayBuffer>()
  private readonly statements = new BoundedCache<Database.Statement>(STATEMENTS)

  constructor(file: string, { readonly = false, dialect = sqliteDialect }: SqliteOptions = {}) {
    this.dialect = dialect
    this.raw = new Database(file, { readonly })
    this.writes = !readonly
    refuseOldSqlite(this.raw)
    addFilterFunctions(this.raw, () => this.throwIfEnded())
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
    this.throwIfEnded()
    return this.prepared(text)
  }

  /** The statement, or while items are leaving the one that reads the indexes without them. */
  private seen(all: CompiledSql, compileLive: () => CompiledSql): Database.Statement {
    this.throwIfEnded()
    if (this.itemsLeave === false) return this.prepared(all.sql)
    const live = compileLive().sql
    if (live !== all.sql) this.itemsLeave ??= this.looksForLeaving()
    return this.prepared(this.itemsLeave ? live : all.sql)
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
    return this.fixed(query, compiled).all(bindParameters(compiled, values)) as Row[]
  }

  async get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined> {
    const compiled = query.for(sqliteDialect)
    return this.fixed(query, compiled).get(bindParameters(compiled, values)) as Row | undefined
  }

  async run<Values, Row>(query: Query<Values, Row>, values: Values): Promise<RunResult> {
    const compiled = query.for(sqliteDialect)
    const statement = this.fixed(query, compiled)
    this.noteLeaving(compiled.sql)
    return statement.run(bindParameters(compiled, values))
  }

  enqueue<Values, Row>(query: Query<Values, Row>, values: Values): Promise<unknown> {
    return this.run(query, values)
  }

  async enqueueCompiled({ sql: text, parameters }: CompiledSql): Promise<unknown> {
    this.noteLeaving(text)
    return this.statement(text).run(parameters)
  }

  async select<Row>(compilable: Compilable<Row> | CompiledSql): Promise<Row[]> {
    const compiled: CompiledSql = 'compile' in compilable ? compilable.compile() : compilable
    const statement = this.seen(compiled, () => recompiled(compiled, liveBuilder))
    return statement.all(compiled.parameters) as Row[]
  }

  private fixed<Values, Row>(query: Query<Values, Row>, compiled: CompiledSql): Database.Statement {
    return this.seen(compiled, () => query.for(sqliteDialect, liveBuilder))
  }

  private noteLeaving(text: string): void {
    if (text.startsWith(LETS_LEAVE)) this.itemsLeave = true
  }

  /** Before each call: drops the cache if another connection has committed since the last one; whether one has. */
  refresh(): boolean {
    const version = (this.statement('PRAGMA data_version').get() as { data_version: number }).data_version
    const changed = version !== this.dataVersion
    if (changed) this.cache.clear()
    this.dataVersion = version
    if (changed || this.writes) this.itemsLeave = this.looksForLeaving()
    return changed
  }

  private looksForLeaving(): boolean {
    return this.prepared(ANY_LEAVING).get() !== undefined
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

  /** Frees the pages of the file and the statements that are in memory, where nothing is under way. */
  letGo(): void {
    if (!this.raw.open || this.inTransaction) return
    this.statements.clear() // the collector of garbage ends them
    this.raw.pragma('shrink_memory')
  }

  get inTransaction(): boolean {
    return this.raw.inTransaction
  }

  /** A transaction begins for which others wait. */
  beginRoom(): void {
    this.room.texts = MOST_ENTERED
    this.room.has_waiting = false
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

/** The same for a command. @throws ServiceUnavailable with what keeps the file from being used */
export function connectionForCommand(file: string, options?: SqliteOptions): SqliteConnection {
  try {
    return new SqliteConnection(file, options)
  } catch (error) {
    throw fileFault(file, error)
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
