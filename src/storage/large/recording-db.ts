import { bindParameters, type CompiledSql, type Db, type Query } from '#src/sql/query.ts'

/**
 * Reads as the connection does and carries no change out: what is enqueued is told to `record`, to be sent later. Only
 * for work that never reads what it has written itself.
 */
export class RecordingDb implements Db {
  readonly dialect: Db['dialect']
  readonly cache: Db['cache']
  readonly hints: Db['hints']
  readonly room: Db['room']
  private readonly db: Db
  private readonly record: (statement: CompiledSql) => void

  constructor(db: Db, record: (statement: CompiledSql) => void) {
    this.db = db
    this.record = record
    this.dialect = db.dialect
    this.cache = db.cache
    this.hints = db.hints
    this.room = db.room
  }

  all<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    return this.db.all(query, values)
  }

  get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined> {
    return this.db.get(query, values)
  }

  async run(): Promise<never> {
    throw new Error('how many rows a recorded change meets is not known yet')
  }

  async enqueue<Values, Row>(query: Query<Values, Row>, values: Values): Promise<void> {
    const compiled = query.for(this.dialect)
    this.record({ sql: compiled.sql, parameters: bindParameters(compiled, values) })
  }

  async enqueueCompiled(statement: CompiledSql): Promise<void> {
    this.record(statement)
  }

  select: Db['select'] = (compilable) => this.db.select(compilable)
}
