import type { PastEvent } from '#src/domain/past-event.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { BeforeEvents, touchedBy } from '#src/domain/undo/before-events.ts'
import { underNamesOfNow, undoEvents } from '#src/domain/undo/undo-events.ts'
import { undoWork, type UndoWork } from '#src/domain/undo/undo-work.ts'
import type { UndoAtItem } from '#src/storage/changes/part-undos.ts'
import { copyWorld, type UndoConflict, type UndoWorld } from '#src/domain/undo/undo-world.ts'

/** All that the log has of items, oldest first, by item; of items without much. */
export type Histories = ReadonlyMap<Ulid, readonly PastEvent[]>

/** Changes of which a part is undone (further §18). */
interface PartUndone {
  /** Oldest first, those of one change together. */
  events: readonly PastEvent[]
  only: ReadonlySet<Ulid>
  /** Of the part. */
  conflicts: readonly UndoConflict[]
  /** As it is with the part taken back. */
  after: UndoWorld
  histories: Histories
}

export const isChosen = ({ item_id }: PastEvent, only: ReadonlySet<Ulid>): boolean =>
  item_id !== null && only.has(item_id)

/**
 * Those changes of which nothing is left to take back once the part is: the rest is as it was before them, because it
 * was taken back earlier or there is none. And the items with conflicts at which something is left.
 */
export function whollyTakenBack({ events, only, conflicts, after, histories }: PartUndone): {
  whole: Set<Ulid>
  left_at: Set<Ulid>
} {
  const whole = new Set(events.map(({ change_id }) => change_id))
  const left_at = new Set<Ulid>()
  const byItem = Map.groupBy(events, ({ item_id }) => item_id)
  const byBoth = Map.groupBy(events, placeOf)
  const look = new Look(histories)
  const note = (met: readonly UndoConflict[], world: UndoWorld): void => {
    for (const conflict of met) {
      const { change_id, item_id } = conflict
      if (item_id === null) {
        if (isOpen(conflict)) whole.delete(change_id)
        continue
      }
      const own = byBoth.get(placeOf(conflict))!
      // Where something newer is left, each older change is looked at by itself.
      const known = left_at.has(item_id) ? own : byItem.get(item_id)!
      if (look.isGone(own, known, world)) continue
      whole.delete(change_id)
      left_at.add(item_id)
    }
  }
  note(conflicts, after)
  const left = copyWorld(after)
  const rest = events.filter((event) => !isChosen(event, only))
  // Newest first: what stands on a change hides it.
  for (const [change_id, own] of [...Map.groupBy(rest, ({ change_id: id }) => id)].toReversed()) {
    const taken = takeBack(own, left)
    if (taken.changes) whole.delete(change_id)
    note(taken.conflicts, left)
  }
  return { whole, left_at }
}

const placeOf = ({ change_id, item_id }: { change_id: Ulid; item_id: Ulid | null }) =>
  `${change_id} ${item_id}`

/** In the world, too; whether that changed anything. */
function takeBack(
  events: readonly PastEvent[],
  world: UndoWorld,
): { changes: boolean; conflicts: UndoConflict[] } {
  const ids = new Set(events.map(({ item_id }) => item_id))
  const items = new Map([...world.items].filter(([id]) => ids.has(id)))
  const before = copyWorld({ ...world, items })
  const { conflicts } = undoEvents(events, world, new Set(), new Map())
  const { items: changed, tags } = undoWork(before, { ...world, items })
  return { changes: changed.length > 0 || tags.length > 0, conflicts }
}

/** Events of an item that are looked through for each of its changes. */
export const MAX_KNOWN = 300
/** … and of all items together: half a second of computing. */
const MAX_LOOKED = 500_000

/** Finds of which changes nothing is left at items. */
class Look {
  private left = MAX_LOOKED
  private readonly histories: Histories

  constructor(histories: Histories) {
    this.histories = histories
  }

  /**
   * Whether nothing is left of what a change did to an item: in all of that, the item is as it was before the change, or
   * before an earlier one. `known` are events of the item, oldest first, those of the change among them: where its log
   * is not at hand, or there is not the time for it.
   */
  isGone(own: readonly PastEvent[], known: readonly PastEvent[], world: UndoWorld): boolean {
    const [{ event_id: first, item_id }] = own as [PastEvent]
    const item = world.items.get(item_id!)
    const touched = touchedBy(own.map((event) => underNamesOfNow(event, world)))
    const before = new BeforeEvents()
    const looked = this.within(this.histories.get(item_id!) ?? known) ?? own
    for (let i = looked.length - 1; i >= 0; i--) {
      const event = looked[i]!
      before.add(underNamesOfNow(event, world))
      const isFirst = looked[i - 1]?.change_id !== event.change_id
      if (isFirst && event.event_id <= first && before.areBack(item, touched)) return true
    }
    return false
  }

  private within(events: readonly PastEvent[]): readonly PastEvent[] | undefined {
    if (events.length > MAX_KNOWN || events.length > this.left) return undefined
    this.left -= events.length
    return events
  }
}

/** It has not come back by another way. */
export const isOpen = ({ present, restored }: UndoConflict): boolean => !sameJson(present, restored)

interface Met {
  /** That were to be taken back, oldest first. */
  chosen: readonly PastEvent[]
  conflicts: readonly UndoConflict[]
  work: UndoWork
  /** As it is. */
  before: UndoWorld
}

/** Items with conflicts, of an undo that finds something elsewhere. */
export const itemsMet = ({ conflicts, work }: Pick<Met, 'conflicts' | 'work'>): Set<Ulid> =>
  new Set(work.items.length || work.tags.length ? conflicts.flatMap(({ item_id }) => item_id ?? []) : [])

/**
 * What such an undo need not take back, by the items: the changes of which nothing is left there. The undo of a part may
 * have been there first.
 */
export function backAsBefore({ chosen, conflicts, work, before }: Met, histories: Histories) {
  const met = itemsMet({ conflicts, work })
  const hit = new Set(conflicts.map(placeOf))
  const look = new Look(histories)
  const ofMet = Map.groupBy(
    chosen.filter((event) => isChosen(event, met)),
    ({ item_id }) => item_id!,
  )
  const back = new Map<Ulid, PastEvent[]>()
  for (const [item_id, all] of ofMet)
    for (const own of Map.groupBy(all, (event) => event.change_id).values())
      if (hit.has(placeOf(own[0]!)) && look.isGone(own, all, before))
        back.set(item_id, [...(back.get(item_id) ?? []), ...own])
  return back
}

/**
 * Whether an undo took back, at an item, a part of other changes than those that it names: it did not find there what
 * those had left, or did more than to take them back.
 */
export function tookBackPart({ did }: UndoAtItem, world: UndoWorld): boolean {
  if (!did) return true
  const { by_undo, undone } = did
  const before = new BeforeEvents()
  const after = new BeforeEvents()
  const named = (events: readonly PastEvent[]) => events.map((event) => underNamesOfNow(event, world))
  for (const event of named(undone).toReversed()) before.add(event)
  for (const event of named(undone)) after.add(inverseOf(event))
  return named(by_undo).some((event) => !before.isReachedBy(event) || !after.isReachedBy(inverseOf(event)))
}

const INVERSES: Readonly<Record<string, string>> = {
  item_deleted: 'item_restored',
  item_restored: 'item_deleted',
  tag_applied: 'tag_removed',
  tag_removed: 'tag_applied',
}

/** What would bring back what was before an event, as an event; the creation of an item stays as it is. */
function inverseOf(event: PastEvent): PastEvent {
  const { event_type, details } = event
  const { old_values = {}, new_values, initial_values } = details
  const told = new_values
    ? { old_values: new_values, new_values: old_values }
    : { old_values: initial_values ?? {}, initial_values: old_values }
  return { ...event, event_type: INVERSES[event_type] ?? event_type, details: { ...details, ...told } }
}
