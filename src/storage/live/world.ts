import { sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type Db, query } from '#src/sql/query.ts'
import { type Around, itemHolds } from '#src/storage/live/item-holds.ts'
import { type StoredItem, storedItems } from '#src/storage/live/item-states.ts'
import type { LookTime } from '#src/storage/live/look-time.ts'
import { type LookedAt, lookedAt } from '#src/storage/live/looked-at.ts'
import type { IndexedTag } from '#src/storage/value-index/fields.ts'

/** How a world differs from what the database has. */
export interface Difference {
  /** By row id; null where an item was not there. */
  items: ReadonlyMap<number, StoredItem | null>
  tagOf(tag_id: Ulid): Promise<IndexedTag | undefined>
  /** How long patterns are looked for. */
  time: LookTime
  /** The last event that has happened; undefined: all of the log. */
  until?: Ulid
}

/** Which living items refer to an item, by the field (row id). */
export async function referringTo(
  db: Db,
  field: number,
  targets: readonly number[],
  limit?: number,
): Promise<number[]> {
  const { dialect } = db
  const value = dialect.filter.value('v', 'row_id')
  const most = limit === undefined ? sql`` : sql` limit ${limit}`
  const rows = sql<{
    item: number
  }>`select distinct v.item as item from ${FIELD_VALUE} v where v.field = ${dialect.filter.anyField(field)} and ${value} in ${dialect.integers(JSON.stringify(targets))}${most}`
  return (await db.select<{ item: number }>(rows.compile(dialect.builder))).map(({ item }) => item)
}

const LAST = 'Z'
const eventsOf = query((p: { item_ids: string; until: string }, db, dialect) =>
  db
    .selectFrom('audit_event')
    .select(['item_id', 'event_id'])
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .where('event_id', '<=', p.until),
)

/** Items in memory, as they are or were: what is asked for and not there yet is read, and the question asked again. */
export class World implements Around {
  readonly text_fields: readonly number[]
  private readonly db: Db
  private readonly difference: Difference
  private readonly known = new Map<number, LookedAt | null>()
  private readonly referrers = new Map<number, Map<number, readonly number[]>>()
  private wanted = new Set<number>()
  private wantedReferrers: [id: number, field: number][] = []
  private readonly events = new Map<Ulid, readonly Ulid[]>()
  private wantedEvents = new Set<Ulid>()

  constructor(db: Db, text_fields: readonly number[], difference: Difference) {
    this.db = db
    this.text_fields = text_fields
    this.difference = difference
  }

  living(id: number): LookedAt | undefined {
    const found = this.known.get(id)
    if (found === undefined) this.wanted.add(id)
    return found?.item.alive ? found : undefined
  }

  referring(id: number, field: number): readonly LookedAt[] {
    const found = this.referrers.get(field)?.get(id)
    if (!found) this.wantedReferrers.push([id, field])
    return (found ?? []).flatMap((each) => this.living(each) ?? [])
  }

  changed({ item: { item_id } }: LookedAt, from: Ulid, before: Ulid): boolean {
    const found = this.events.get(item_id)
    if (!found) this.wantedEvents.add(item_id)
    return found?.some((event_id) => event_id >= from && event_id < before) ?? false
  }

  inText: Around['inText'] = (look) => this.difference.time.inText(look)

  /** False for one that does not live. */
  async holds(plan: FilterPlan, id: number): Promise<boolean> {
    for (;;) {
      const answer = this.answer(plan, id)
      if (answer !== undefined) return answer
      await this.read()
    }
  }

  /** Undefined where something must be read first. */
  answer(plan: FilterPlan, id: number): boolean | undefined {
    const looked = this.living(id)
    const holds = looked !== undefined && itemHolds(plan, looked, this)
    const isWhole = !this.wanted.size && !this.wantedReferrers.length && !this.wantedEvents.size
    return isWhole ? holds : undefined
  }

  async load(ids: Iterable<number>): Promise<void> {
    for (const id of ids) if (!this.known.has(id)) this.wanted.add(id)
    await this.read()
  }

  private async read(): Promise<void> {
    const { difference, wantedReferrers } = this
    this.wantedReferrers = []
    for (const [id, field] of wantedReferrers) await this.readReferrers(id, field)
    await this.readEvents()
    const ids = [...this.wanted]
    this.wanted = new Set()
    const there = ids.filter((id) => !difference.items.has(id))
    const stored = there.length ? await storedItems(this.db, there) : new Map<number, StoredItem>()
    const items = ids.flatMap((id) => difference.items.get(id) ?? stored.get(id) ?? [])
    for (const id of ids) this.known.set(id, null)
    for (const each of await lookedAt(this.db, items, (tag_id) => difference.tagOf(tag_id)))
      this.known.set(each.item.id, each)
  }

  private async readEvents(): Promise<void> {
    const item_ids = [...this.wantedEvents]
    this.wantedEvents = new Set()
    if (!item_ids.length) return
    const until = this.difference.until ?? LAST
    const rows = await this.db.all(eventsOf, { item_ids: JSON.stringify(item_ids), until })
    const own = Map.groupBy(rows, ({ item_id }) => item_id!)
    for (const item_id of item_ids)
      this.events.set(
        item_id,
        (own.get(item_id) ?? []).map(({ event_id }) => event_id),
      )
  }

  private async readReferrers(id: number, field: number): Promise<void> {
    const { items } = this.difference
    const now = (await referringTo(this.db, field, [id])).filter((each) => !items.has(each))
    await this.load(items.keys())
    const then = [...items.keys()].filter((each) => this.known.get(each)?.referencesBy(field).includes(id))
    const ofField = this.referrers.get(field) ?? new Map<number, readonly number[]>()
    this.referrers.set(field, ofField.set(id, [...now, ...then]))
  }
}
