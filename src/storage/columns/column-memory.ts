import { query, type Db } from '#src/sql/query.ts'
import { purgedRows } from '#src/storage/items/deleted-items.ts'
import type { Column } from '#src/storage/columns/column.ts'
import { PartialColumn } from '#src/storage/columns/partial-column.ts'
import { type ColumnSource, heldValue } from '#src/storage/columns/read-column.ts'

/** Of all columns of a connection. */
const MAX_BYTES = 32 * 2 ** 20
/** After more events than these columns are read again rather than brought up to date. */
const MAX_EVENTS = 20_000
/** Sources of which no column can be made are remembered, this many at the most. */
const MAX_UNFIT = 1000

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

/** The newest event that a snapshot has: every change of the value index has one, of its item or of its tag. */
export interface Version {
  id: number
  event_id: string
}

interface CachedColumn {
  readonly source: ColumnSource
  readonly column: Column
}

/** The columns that a connection, or all of a pool, keeps, as they stood at one event of the log. */
export class ColumnMemory {
  version: Version = { id: 0, event_id: '' }
  /** Every row id is below. */
  rows = 1
  private readonly kept = new Map<string, CachedColumn>()
  private readonly unfit = new Set<string>()
  /** Is read little by little, and kept true meanwhile like the others. */
  private partial: PartialColumn | undefined

  get(key: string): Column | undefined {
    const found = this.kept.get(key)
    if (!found) return undefined
    this.kept.delete(key)
    this.kept.set(key, found) // the last used comes last
    return found.column
  }

  isUnfit = (key: string): boolean => this.unfit.has(key)

  /** Whether there is one already, or room for one of about that many bytes. */
  isWanted = ({ key }: ColumnSource, bytes: number): boolean =>
    !this.kept.has(key) && !this.unfit.has(key) && this.bytes + bytes <= MAX_BYTES

  get isReading(): boolean {
    return this.partial !== undefined
  }

  begin(source: ColumnSource): void {
    this.partial = new PartialColumn(source, this.rows)
  }

  /** Reads this many more entries of the column that was begun. */
  async readOn(db: Db, entries: number): Promise<void> {
    const { partial, version } = this
    // Another call of the pool may finish or drop it, or know of changes that this one does not see.
    const isCurrent = () => this.partial === partial && this.version === version
    if (!partial || !(await partial.readOn(db, entries, isCurrent)) || !isCurrent()) return
    this.partial = undefined
    this.keep(partial.source, partial.column)
  }

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
    const step = this.bytes ? await this.stepFrom(db, from) : { to: await newestOf(db), changes: undefined }
    if (!step) return false
    const rows = ((await db.get(newestItem, {}))?.id ?? 0) + 1
    // Another call of the pool was quicker.
    if (this.version !== from) return isSame(this.version, step.to)
    if (!isSame(from, step.to)) this.version = step.to
    this.rows = rows
    if (!step.changes) this.forget()
    else if (step.changes.length) this.keepOnly(new Set(step.changes.map(({ key }) => key)))
    for (const { column } of this.known) column?.grow(rows)
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
    const rows = await db.all(itemRows, { item_ids: JSON.stringify(item_ids) })
    const found = rows.map(({ id }) => id)
    if (found.length < item_ids.length) found.push(...(await purgedRows(db, item_ids)))
    const items = JSON.stringify(found)
    const changes: Change[] = []
    for (const { source } of this.known) {
      const statement = source.of(items, db).compile(db.dialect.builder)
      changes.push({ key: source.key, items: found, values: await db.select(statement) })
    }
    return changes
  }

  private apply({ key, items, values }: Change): void {
    for (const [i, { source, column }] of this.known.entries()) {
      if (!column || source.key !== key) continue
      for (const item of items) column.set(item, undefined)
      if (values.every(({ item, val }) => column.set(item, heldValue(val)))) continue
      if (i < this.kept.size) this.kept.delete(key)
      else this.partial = undefined
    }
  }

  /** What another call of the pool has read while the changes were read is not brought up to date by them. */
  private keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.kept.keys()) if (!keys.has(key)) this.kept.delete(key)
    if (this.partial && !keys.has(this.partial.source.key)) this.partial = undefined
  }

  private get known(): readonly { source: ColumnSource; column: Column | undefined }[] {
    return [...this.kept.values(), ...(this.partial ? [this.partial] : [])]
  }

  private get bytes(): number {
    return this.known.reduce((sum, { column }) => sum + (column?.bytes ?? 0), 0)
  }

  private forget(): void {
    this.kept.clear()
    this.partial = undefined
    this.unfit.clear()
  }

  private dropOldest(): void {
    let { bytes } = this
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
