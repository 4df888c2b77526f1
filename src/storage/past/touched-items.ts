import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { UnreadEvent } from '#src/storage/changes/past-events.ts'
import { renameEventsUntil } from '#src/storage/changes/past-renames.ts'
import { touchedSince } from '#src/storage/past/events-since.ts'
import type { PastTags } from '#src/storage/past/past-tags.ts'
import { replayItems, type WholeItem } from '#src/storage/past/replay-items.ts'
import { differenceSince, type Row, takeItemsBack } from '#src/storage/past/take-back.ts'
import { readWholeItems, rewriteItems, writePurged } from '#src/storage/past/write-items.ts'

interface TouchedParts {
  /** The base of then. */
  db: Db
  tags: PastTags
  cut: Ulid
  /** Up to which event items had changed that the cut alone would not have so. */
  late: ReadonlyMap<Ulid, Ulid>
  /** Takes items into it. */
  write: (base: Db, items: readonly WholeItem[]) => Promise<void>
}

/**
 * The items that events of their own have touched since a moment, as they were. What has happened since is taken back
 * from what they are, which does not tell their times: what is shown of them, or goes by times, is made of all that the
 * log has of them.
 */
export class TouchedItems {
  /** Items of then that the log alone still has, and that it has not any more. */
  purged = 0
  redacted = 0
  private readonly parts: TouchedParts
  /** Not written yet (row ids), in order: a page in that order needs few of them. */
  private waiting: number[] = []
  /** Tags of which what has happened since does not tell enough. */
  private readonly moved: ReadonlySet<Ulid>
  /** Items whose times, and the order of whose values, are not those of then (row ids). */
  private readonly inexact = new Set<number>()
  private isExact = false
  private isAskedAgain = false
  private renames: UnreadEvent[] | undefined
  /** All that were touched (row ids). */
  private readonly known = new Set<number>()
  /** The newest event that is known. */
  private newest: Ulid

  constructor(parts: TouchedParts) {
    this.parts = parts
    this.newest = parts.cut
    const { tags, renamed } = parts.tags
    const purged = tags.flatMap(({ tag_id, present }) => (present ? [] : [tag_id]))
    this.moved = new Set([...renamed.keys(), ...purged])
  }

  /**
   * Takes in what has happened since it was made.
   * @param isKnown whether an item (row id) is told apart from the base already: so it is as it was then
   * @returns the others, or undefined where all is to be made again
   */
  async catchUp(base: Db, isKnown: (id: number) => boolean): Promise<number[] | undefined> {
    const isFirst = this.newest === this.parts.cut
    if (!isFirst && (await base.get(remaking, { after: this.newest }))) return undefined
    const { met, purged, newest } = await touchedSince(base, this.newest, this.known)
    const others = met.filter((id) => !isKnown(id))
    await this.meet(base, others, purged)
    this.newest = newest
    return others
  }

  /** Writes all of them, for what asks of any. */
  whole = (base: Db): Promise<void> => this.take(base, this.waiting.splice(0))

  /**
   * How many more of those that are not written yet satisfied a test than do now. Of which what has happened since does not
   * tell, they are written; all of them are where it is asked again.
   */
  async difference(base: Db, holds: (item: WholeItem) => boolean): Promise<number> {
    if (this.isAskedAgain) {
      await this.whole(base)
      return 0
    }
    this.isAskedAgain = true
    if (!this.waiting.length) return 0
    const { more, left } = await differenceSince(base, this.since, this.waiting, holds)
    const isLeft = new Set(left)
    this.waiting = this.waiting.filter((id) => !isLeft.has(id))
    await this.replay(base, await rowsOf(base, left))
    return more
  }

  /** Row ids of those that are not written yet. */
  get waitingIds(): readonly number[] {
    return this.waiting
  }

  private get since() {
    const { cut, late } = this.parts
    return { cut, late, moved: this.moved }
  }

  /**
   * Writes some from one on (row id).
   * @returns up to which row all from there on are written; undefined: to the end
   */
  async writeFrom(base: Db, row: number, some: number): Promise<number | undefined> {
    const first = this.waiting.findIndex((id) => id >= row)
    if (first === -1) return undefined
    await this.take(base, this.waiting.splice(first, some))
    const next = this.waiting[first]
    return next === undefined ? undefined : next - 1
  }

  /** Makes them ready for what goes by times, or shows texts. */
  async needExact(base: Db): Promise<void> {
    this.isExact = true
    await this.restate(base, [...this.inexact])
    this.inexact.clear()
  }

  /** Some items (row ids) are shown. */
  show = (base: Db, ids: readonly number[]): Promise<void> =>
    this.restate(
      base,
      ids.filter((id) => this.inexact.has(id)),
    )

  /** Items that no event of their own has touched (row ids), as they were: what tags did to them is taken back. */
  async untouched(base: Db, ids: readonly number[]): Promise<WholeItem[]> {
    const items = await readWholeItems(base, ids)
    const { renamed } = this.parts.tags
    const moved = items.filter(({ tags }) => [...tags.keys()].some((tag_id) => renamed.has(tag_id)))
    if (!moved.length) return items
    const replayed = await this.replayed(base, moved)
    return items.map((item) => {
      const past = replayed.get(item.item_id)
      return past && past !== 'redacted' ? { ...item, ...past } : item
    })
  }

  /** What is left out of answers is counted at once. */
  private async meet(base: Db, met: readonly number[], purged: readonly Row[]): Promise<void> {
    await writePurged(this.parts.db, purged)
    const isGone = new Set(purged.map(({ id }) => id))
    const others = isGone.size ? met.filter((id) => !isGone.has(id)) : met
    const all = [...this.waiting, ...others].sort((a, b) => a - b)
    const isAsked = (await base.get(anyRedacted, {})) !== undefined
    this.waiting = isAsked ? [] : all
    await this.replay(base, purged, isGone)
    if (isAsked) await this.replay(base, await rowsOf(base, all))
  }

  /** Writes what was touched as it was. */
  private async take(base: Db, ids: readonly number[]): Promise<void> {
    const rows = await rowsOf(base, ids)
    if (this.isExact) return this.replay(base, rows)
    const { items, left } = await takeItemsBack(base, this.since, rows)
    await this.parts.write(base, items)
    for (const { id } of items) this.inexact.add(id)
    await this.replay(base, left)
  }

  /** The same with all that the log has of it. */
  private async replay(
    base: Db,
    rows: readonly Row[],
    isGone: ReadonlySet<number> = new Set(),
  ): Promise<void> {
    if (!rows.length) return
    const replayed = await this.replayed(base, rows)
    const items: WholeItem[] = []
    const lost: Row[] = []
    for (const row of rows) {
      const past = replayed.get(row.item_id)
      if (past === undefined) continue
      if (isGone.has(row.id)) {
        if (past === 'redacted' || !past.deleted) this.purged++
      } else if (past === 'redacted') {
        this.redacted++
        lost.push(row)
      } else items.push({ ...row, ...past })
    }
    await writePurged(this.parts.db, lost)
    await this.parts.write(base, items)
  }

  /** Writes items anew, with all that the log has of them. */
  private async restate(base: Db, ids: readonly number[]): Promise<void> {
    if (!ids.length) return
    const rows = await rowsOf(base, ids)
    const replayed = await this.replayed(base, rows)
    const items = rows.flatMap((row): WholeItem[] => {
      const past = replayed.get(row.item_id)
      return past && past !== 'redacted' ? [{ ...row, ...past }] : []
    })
    await rewriteItems(this.parts.db, items)
  }

  private async replayed(base: Db, rows: readonly { item_id: Ulid }[]): ReturnType<typeof replayItems> {
    const { cut, late } = this.parts
    this.renames ??= await renameEventsUntil(base, cut)
    const item_ids = rows.map(({ item_id }) => item_id)
    return replayItems(base, item_ids, { cut, late }, this.renames)
  }
}

const idRows = query((p: { ids: string }, sql, dialect) =>
  sql.selectFrom('item').select(['id', 'item_id']).where('id', 'in', dialect.integers(p.ids)),
)
const rowsOf = async (base: Db, ids: readonly number[]): Promise<Row[]> =>
  ids.length ? base.all(idRows, { ids: JSON.stringify(ids) }) : []

/** An event after which what was made of the log is made anew. */
const remaking = query((p: { after: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select('event_id')
    .where('event_id', '>', p.after)
    .where(({ or, eb }) =>
      or([eb('item_id', 'is', null), eb('event_type', 'in', ['item_purged', 'audit_redacted'])]),
    )
    .limit(1),
)
const anyRedacted = query((_: object, sql) =>
  sql.selectFrom('audit_event').select('event_id').where('event_type', '=', 'audit_redacted').limit(1),
)
