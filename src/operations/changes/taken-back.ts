import type { PastEvent } from '#src/domain/past-event.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { undoEvents } from '#src/domain/undo/undo-events.ts'
import { undoWork, type UndoWork } from '#src/domain/undo/undo-work.ts'
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
  for (const conflict of conflicts) if (isOpen(conflict)) whole.delete(conflict.change_id)
  const left = copyWorld(after)
  const rest = Map.groupBy(
    events.filter((event) => !isChosen(event, only)),
    ({ change_id }) => change_id,
  )
  // Newest first: what stands on a change hides it.
  for (const [change_id, own] of [...rest].toReversed()) if (!isAsBefore(own, left)) whole.delete(change_id)
  return whole
}

/** Takes the events back in the world, too. */
function isAsBefore(events: readonly PastEvent[], world: UndoWorld): boolean {
  const ids = new Set(events.map(({ item_id }) => item_id))
  const items = new Map([...world.items].filter(([id]) => ids.has(id)))
  const before = copyWorld({ ...world, items })
  const { conflicts } = undoEvents(events, world, new Set(), new Map())
  const { items: changed, tags } = undoWork(before, { ...world, items })
  return !changed.length && !tags.length && !conflicts.some(isOpen)
}

/** It has not come back by another way. */
export const isOpen = ({ present, restored }: UndoConflict): boolean => !sameJson(present, restored)

/**
 * Items at which an undo that finds something elsewhere meets nothing but what is as it was before the changes: the
 * undo of a part may have been there first.
 */
export function backAsBefore({
  conflicts,
  work,
}: {
  conflicts: readonly UndoConflict[]
  work: UndoWork
}): Ulid[] {
  if (!work.items.length && !work.tags.length) return []
  const stay = new Set(work.items.map(({ item_id }) => item_id))
  for (const conflict of conflicts)
    // What has been purged has no name.
    if (conflict.item_id && (conflict.item_name === null || isOpen(conflict))) stay.add(conflict.item_id)
  const met = new Set(conflicts.flatMap(({ item_id }) => item_id ?? []))
  return [...met].filter((item_id) => !stay.has(item_id))
}
