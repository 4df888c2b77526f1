import type { PastEvent } from '#src/domain/past-event.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { BeforeEvents } from '#src/domain/undo/before-events.ts'
import { underNamesOfNow, undoEvents } from '#src/domain/undo/undo-events.ts'
import { undoWork, type UndoWork } from '#src/domain/undo/undo-work.ts'
import type { UndoAtItem } from '#src/storage/changes/part-undos.ts'
import { copyWorld, type UndoConflict, type UndoWorld } from '#src/domain/undo/undo-world.ts'

/** Changes of which a part is undone (further §18). */
interface PartUndone {
  /** Oldest first, those of one change together. */
  events: readonly PastEvent[]
  only: ReadonlySet<Ulid>
  /** Of the part. */
  conflicts: readonly UndoConflict[]
  /** As it is with the part taken back. */
  after: UndoWorld
}

export const isChosen = ({ item_id }: PastEvent, only: ReadonlySet<Ulid>): boolean =>
  item_id !== null && only.has(item_id)

/**
 * Those changes of which nothing is left to take back once the part is: the rest is as it was before them, because it
 * was taken back earlier or there is none.
 */
export function whollyTakenBack({ events, only, conflicts, after }: PartUndone): Set<Ulid> {
  const whole = new Set(events.map(({ change_id }) => change_id))
  const byItem = Map.groupBy(events, ({ item_id }) => item_id)
  const back = new Set<Ulid>()
  /** Items at which something newer is left: of those each older change is looked at by itself. */
  const stuck = new Set<Ulid>()
  const isLeft = (conflict: UndoConflict, world: UndoWorld): boolean => {
    const { item_id, event_id, change_id } = conflict
    if (item_id === null) return isOpen(conflict)
    if (back.has(event_id)) return false
    const until = byItem
      .get(item_id)!
      .filter((event) => (stuck.has(item_id) ? event.change_id === change_id : event.change_id <= change_id))
    for (const event of newestThatAreBack(until, world)) back.add(event.event_id)
    if (!back.has(event_id)) stuck.add(item_id)
    return !back.has(event_id)
  }
  for (const conflict of conflicts) if (isLeft(conflict, after)) whole.delete(conflict.change_id)
  const left = copyWorld(after)
  const rest = events.filter((event) => !isChosen(event, only))
  // Newest first: what stands on a change hides it.
  for (const [change_id, own] of [...Map.groupBy(rest, ({ change_id: id }) => id)].toReversed()) {
    const taken = takeBack(own, left)
    if (taken.changes || taken.conflicts.some((conflict) => isLeft(conflict, left))) whole.delete(change_id)
  }
  return whole
}

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

/**
 * The events of an item, given oldest first, from the first on before which it was as it is; those of a change stay
 * together.
 */
function newestThatAreBack(events: readonly PastEvent[], world: UndoWorld): readonly PastEvent[] {
  const item = world.items.get(events[0]!.item_id!)
  const before = new BeforeEvents()
  let from = events.length
  for (let i = events.length - 1; i >= 0; i--) {
    before.add(underNamesOfNow(events[i]!, world))
    const isFirst = events[i - 1]?.change_id !== events[i]!.change_id
    if (isFirst && before.areBack(item)) from = i
  }
  return events.slice(from)
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

/**
 * What an undo that finds something elsewhere need not take back, by the items: the newest events of those with
 * conflicts that are as they were before them. The undo of a part may have been there first.
 */
export function backAsBefore({ chosen, conflicts, work, before }: Met): Map<Ulid, readonly PastEvent[]> {
  if (!work.items.length && !work.tags.length) return new Map()
  const met = new Set(conflicts.flatMap(({ item_id }) => item_id ?? []))
  const ofMet = Map.groupBy(
    chosen.filter((event) => isChosen(event, met)),
    ({ item_id }) => item_id!,
  )
  return new Map(
    [...ofMet]
      .map(([item_id, events]) => [item_id, newestThatAreBack(events, before)] as const)
      .filter(([, events]) => events.length),
  )
}

/** Whether an undo did more at an item than to take back these changes: it took back a part of another one, too. */
export function tookBackMore({ by_undo, undone }: UndoAtItem, world: UndoWorld): boolean {
  const before = new BeforeEvents()
  for (const event of undone.toReversed()) before.add(underNamesOfNow(event, world))
  return by_undo.some((event) => !before.isReachedBy(underNamesOfNow(event, world)))
}
