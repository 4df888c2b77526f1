import { detailsNow, valuesNow } from '#src/domain/past-rename.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { conflictValues } from '#src/domain/undo/conflict-values.ts'
import { undoItemEvent } from '#src/domain/undo/undo-item-event.ts'
import type { Undoing } from '#src/domain/undo/undo-outcome.ts'
import { undoTagEvent } from '#src/domain/undo/undo-tag-event.ts'
import { laterRenames, type UndoConflict, type UndoWorld } from '#src/domain/undo/undo-world.ts'

export interface Undone {
  undone_events: number
  /** The changes of which something was taken back. */
  changes: Ulid[]
  conflicts: UndoConflict[]
}

/**
 * Takes events back, newest first, in a world; each where the world is still as the event left it. `events` are given
 * oldest first.
 */
export function undoEvents(
  events: readonly PastEvent[],
  world: UndoWorld,
  dead: ReadonlySet<Ulid>,
  clashing: ReadonlyMap<Ulid, string>,
): Undone {
  const conflicts: UndoConflict[] = []
  const undoing: Undoing = { world, dead, clashing, initial: initialEvents(events) }
  const changes = new Set<Ulid>()
  let undone_events = 0
  for (const event of events.toReversed()) {
    const named = event.item_id === null ? event : underNamesOfNow(event, world)
    const refusals = named.item_id === null ? undoTagEvent(named, undoing) : undoItemEvent(named, undoing)
    const { change_id, event_id, item_id } = event
    for (const refusal of refusals.refused) {
      const { path = null, tag_id = event.tag_id, reason, suggestion } = refusal
      const values = conflictValues(named, refusal, world)
      conflicts.push({ change_id, event_id, item_id, tag_id, path, reason, suggestion, ...values })
    }
    if (!refusals.undone) continue
    undone_events++
    changes.add(change_id)
  }
  return { undone_events, changes: [...changes], conflicts }
}

/** The event of an item as if the renames that are in force had been made before it. */
export function underNamesOfNow(event: PastEvent, world: UndoWorld): PastEvent {
  const { tag_id, event_id, details } = event
  if (tag_id !== null)
    return { ...event, details: detailsNow(details, laterRenames(world, tag_id, event_id)) }
  if (!details.tags) return event
  const tags = details.tags.map((tag) => ({
    ...tag,
    initial_values: valuesNow(tag.initial_values, laterRenames(world, tag.tag_id, event_id)),
  }))
  return { ...event, details: { ...details, tags } }
}

/** `tag_applied` of tags with which an item was created. */
function initialEvents(events: readonly PastEvent[]): Set<Ulid> {
  const awaited = new Set<string>()
  const initial = new Set<Ulid>()
  for (const { event_type, event_id, item_id, tag_id, change_id, details } of events)
    if (event_type === 'item_created')
      for (const tag of details.tags ?? []) awaited.add(`${change_id} ${item_id} ${tag.tag_id}`)
    else if (event_type === 'tag_applied' && awaited.delete(`${change_id} ${item_id} ${tag_id}`))
      initial.add(event_id)
  return initial
}
