import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { readHasDrafts } from '#src/storage/large/audit-drafts.ts'
import type { Column, FlagColumn } from '#src/storage/columns/column.ts'
import { ColumnMemory, type Version } from '#src/storage/columns/column-memory.ts'
import {
  type ColumnSource,
  fieldSource,
  hasColumn,
  LIVE,
  tagSource,
} from '#src/storage/columns/read-column.ts'

const CACHE_KEY = 'columns'

/** The columns as the snapshot of one call has them. */
export class Columns {
  private readonly db: Db
  private readonly memory: ColumnMemory
  private readonly version: Version

  private constructor(db: Db, memory: ColumnMemory) {
    this.db = db
    this.memory = memory
    this.version = memory.version
  }

  /**
   * Undefined where the connection keeps none, where those that it keeps are newer than what the call sees, and while
   * what a large change has recorded is still to be entered into the log.
   */
  static async of(db: Db): Promise<Columns | undefined> {
    if (!db.committed || (await readHasDrafts(db))) return undefined
    let memory = db.committed.get(CACHE_KEY) as ColumnMemory | undefined
    if (!memory) db.committed.set(CACHE_KEY, (memory = new ColumnMemory()))
    return (await memory.catchUp(db)) ? new Columns(db, memory) : undefined
  }

  /** What is kept for the calls that come. */
  get kept(): ColumnMemory {
    return this.memory
  }

  /** Every row id is below. */
  get rows(): number {
    return this.memory.rows
  }

  /** Whether they still are those of the call's snapshot: to be asked after the last await. */
  get areCurrent(): boolean {
    return this.memory.version === this.version
  }

  /** Whether an item lives. */
  live = (): Promise<FlagColumn | undefined> => this.get(LIVE) as Promise<FlagColumn | undefined>

  tag = (tag: number): Promise<FlagColumn | undefined> =>
    this.get(tagSource(tag)) as Promise<FlagColumn | undefined>

  field = async (field: BoundField): Promise<Exclude<Column, FlagColumn> | undefined> =>
    hasColumn(field)
      ? ((await this.get(fieldSource(field))) as Exclude<Column, FlagColumn> | undefined)
      : undefined

  private async get(source: ColumnSource): Promise<Column | undefined> {
    const { memory } = this
    if (!this.areCurrent || memory.isUnfit(source.key)) return undefined
    const known = memory.get(source.key)
    if (known) return known
    const column = await source.read(this.db, memory.rows)
    return this.areCurrent ? memory.keep(source, column) : undefined
  }
}
