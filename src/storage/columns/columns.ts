import { query, type Db } from '#src/sql/query.ts'
import { readHasDrafts } from '#src/storage/audit-drafts.ts'
import type { Column, FlagColumn } from '#src/storage/columns/column.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import {
  type ColumnSource,
  fieldSource,
  hasColumn,
  heldValue,
  LIVE,
  tagSource,
} from '#src/storage/columns/read-column.ts'

/** Of all columns of a connection. */
const MAX_BYTES = 32 * 2 ** 20
/** After more events than these columns are read again rather than brought up to date. */
const MAX_EVENTS = 20_000
/** Sources of which no column can be made are remembered, this many at the most. */
const MAX_UNFIT = 1000
const KEPT = 'columns'

const newestItem = query((_: object, db) => db.selectFrom('item').select((e) => e.fn.max('id').as('id')))
const newestEvent = query((_: object, db) =>
  db.selectFrom('audit_event').select(['id', 'event_id']).orderBy('id', 'desc').limit(1),
)
const eventsFrom = query((p: { id: number; limit: number }, db) =>
  db
    .selectFrom('audit_event')
    .select(['id', 'event_id', 'entity_type', 'event_type', 'item_id'])
    .where('id', '>=', p.id)
    .orderBy('id')
    .limit(p.limit),
)
const itemRows = query((p: { item_ids: string }, db, { texts }) =>
  db.selectFrom('item').select('id').where('item_id', 'in', texts(p.item_ids)),
)
const purgedRows = query((p: { item_ids: string }, db, { texts }) =>
  db.selectFrom('purged_item').select('id').where('item_id', 'in', texts(p.item_ids)),
)

/** The newest event that a snapshot has: every change of the value index has one, of its item or of its tag. */
interface Version {
  id: number
  event_id: string
}

interface KeptColumn {
  readonly source: ColumnSource
  readonly column: Column
}

/** The columns that a connection, or all of a pool, keeps, as they stood at one event of the log. */
class ColumnMemory {
  version: Version = { id: 0, event_id: '' }
  /** Every row id is below. */
  rows = 1
  private readonly kept = new Map<string, KeptColumn>()
  private readonly unfit = new Set<string>()

  get(key: string): Column | undefined {
    const found = this.kept.get(key)
    if (!found) return undefined
    this.kept.delete(key)
    this.kept.set(key, found) // the last used comes last
    return found.column
  }

  isUnfit = (key: string): boolean => this.unfit.has(key)

  keep(source: ColumnSource, column: Column | undefined): Column | undefined {
    if (column && column.bytes <= MAX_BYTES) {
      this.kept.set(source.key, { source, column })
      this.dropOldest()
      return column
    }
    if (this.unfit.size >= MAX_UNFIT) this.unfit.clear()
    this.unfit.add(source.key)
    return undefined
  }

  /** Brings all columns to the newest event that the snapshot of `db` has; false where they are newer than that. */
  async catchUp(db: Db): Promise<boolean> {
    const from = this.version
    const step = this.kept.size
      ? await this.stepFrom(db, from)
      : { to: await newestOf(db), changes: undefined }
    if (!step) return false
    const rows = ((await db.get(newestItem, {}))?.id ?? 0) + 1
    // Another call of the pool was quicker.
    if (this.version !== from) return isSame(this.version, step.to)
    if (!isSame(from, step.to)) this.version = step.to
    this.rows = rows
    if (!step.changes) this.forget()
    for (const { column } of this.kept.values()) column.grow(rows)
    for (const change of step.changes ?? []) this.apply(change)
    return true
  }

  /** What has changed since; without changes all is to be read again. Undefined where the snapshot is an older one. */
  private async stepFrom(db: Db, from: Version): Promise<Step | undefined> {
    const events = await db.all(eventsFrom, { id: from.id, limit: MAX_EVENTS + 2 })
    // The log that was followed is not this one, or this one does not reach so far.
    if (from.id > 0 && events[0]?.event_id !== from.event_id) {
      const to = await newestOf(db)
      return to.id < from.id ? undefined : { to, changes: undefined }
    }
    const fresh = events.filter(({ id }) => id > from.id)
    const last = fresh.at(-1)
    if (!last) return { to: from, changes: [] }
    const ofTags = fresh.some((each) => each.entity_type === 'tag' && each.event_type !== 'tag_created')
    if (ofTags || fresh.length > MAX_EVENTS) return { to: await newestOf(db), changes: undefined }
    const changes = await this.changesOf(
      db,
      fresh.flatMap(({ item_id }) => item_id ?? []),
    )
    return { to: { id: last.id, event_id: last.event_id }, changes }
  }

  private async changesOf(db: Db, ids: readonly string[]): Promise<Change[]> {
    const item_ids = [...new Set(ids)]
    const texts = JSON.stringify(item_ids)
    const found = (await db.all(itemRows, { item_ids: texts })).map(({ id }) => id)
    if (found.length < item_ids.length)
      found.push(...(await db.all(purgedRows, { item_ids: texts })).map(({ id }) => id))
    const items = JSON.stringify(found)
    const changes: Change[] = []
    for (const { source } of this.kept.values()) {
      const statement = source.of(items, db).compile(db.dialect.builder)
      changes.push({ key: source.key, items: found, values: await db.select(statement) })
    }
    return changes
  }

  private apply({ key, items, values }: Change): void {
    const column = this.kept.get(key)?.column
    if (!column) return
    for (const item of items) column.set(item, undefined)
    if (values.every(({ item, val }) => column.set(item, heldValue(val)))) return
    this.kept.delete(key)
  }

  private forget(): void {
    this.kept.clear()
    this.unfit.clear()
  }

  private dropOldest(): void {
    let bytes = 0
    for (const { column } of this.kept.values()) bytes += column.bytes
    for (const [key, { column }] of this.kept) {
      if (bytes <= MAX_BYTES) return
      this.kept.delete(key)
      bytes -= column.bytes
    }
  }
}

interface Step {
  to: Version
  /** Undefined: what is kept is of no use any more. */
  changes: readonly Change[] | undefined
}

interface Change {
  key: string
  items: readonly number[]
  values: readonly { item: number; val: unknown }[]
}

const isSame = (a: Version, b: Version): boolean => a.id === b.id && a.event_id === b.event_id

const newestOf = async (db: Db): Promise<Version> =>
  (await db.get(newestEvent, {})) ?? { id: 0, event_id: '' }

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
    let memory = db.committed.get(KEPT) as ColumnMemory | undefined
    if (!memory) db.committed.set(KEPT, (memory = new ColumnMemory()))
    return (await memory.catchUp(db)) ? new Columns(db, memory) : undefined
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
