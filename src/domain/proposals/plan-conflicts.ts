import { valueOf } from '#src/domain/field-values.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { pathOf, valuesAt } from '#src/domain/undo/conflict-values.ts'
import { type Refusal, sameValues } from '#src/domain/undo/undo-outcome.ts'
import type { UndoWorld } from '#src/domain/undo/undo-world.ts'

/** What has moved since a proposal was made (additions §4). */
export interface ProposalConflict {
  change_id: null
  event_id: null
  item_id: Ulid | null
  tag_id: Ulid | null
  /** Of the item; null of a tag, and of an item that has been purged. */
  item_name: string | null
  path: string | null
  reason: string
  suggestion: string
  /** What is there now, and what the proposal wants there. */
  present: unknown
  restored: unknown
}

const SUGGESTION = 'Accept the rest with on_conflict: "skip", or have it proposed again'

/** What undo says of a change that is taken back, as it is to be said of one that is proposed. */
const REASONS: Readonly<Record<string, string>> = {
  'The item has the tag again': 'The item has been given the tag since, with other values',
  'The tag is deleted already': 'The tag has been deleted since',
}

/** The conflict that a refusal of undo is; null where the base already is as it is wanted. */
export function conflictOf(
  event: PastEvent,
  { path = null, tag_id, reason }: Refusal,
  world: UndoWorld,
): ProposalConflict | null {
  const field = event.details.fields_changed?.find(
    (each) => path !== null && pathOf(event, each, world) === path,
  )
  const [present, restored] = valuesAt(event, field, world)
  if (isAsWanted(event, field, world)) return null
  return {
    change_id: null,
    event_id: null,
    item_id: event.item_id,
    tag_id: tag_id ?? event.tag_id,
    item_name: (event.item_id !== null && world.items.get(event.item_id)?.name) || null,
    path,
    reason: REASONS[reason] ?? reason,
    suggestion: SUGGESTION,
    present: present ?? null,
    restored: restored ?? null,
  }
}

/** Whether what an event is to bring back is there, by whatever way it came. */
function isAsWanted(event: PastEvent, field: string | undefined, { items, tags }: UndoWorld): boolean {
  const { item_id, tag_id, details, event_type } = event
  const item = item_id === null ? undefined : items.get(item_id)
  const tag = tag_id === null ? undefined : tags.get(tag_id)
  const entry = tag_id === null ? undefined : item?.tags.get(tag_id)
  switch (event_type) {
    case 'item_restored':
      return item?.presence === 'deleted'
    case 'item_deleted':
      return item?.presence === 'live'
    case 'tag_restored':
      return tag?.presence === 'deleted'
    case 'tag_deleted':
      return tag?.presence === 'live'
    case 'tag_applied':
      return item?.presence === 'live' && !entry
    case 'tag_removed':
      return item?.presence === 'live' && entry !== undefined && sameValues(entry.values, details.old_values!)
    case 'tag_values_updated': {
      if (field === undefined || !entry || item?.presence !== 'live') return false
      const wanted = details.old_values!
      return (
        entry.values.has(field) === Object.hasOwn(wanted, field) &&
        sameJson(entry.values.get(field) ?? null, valueOf(wanted, field))
      )
    }
    default: {
      const holder = item_id === null ? tag : item
      if (field === undefined || holder?.presence !== 'live') return false
      return sameJson(holder[field as 'name'], details.old_values![field])
    }
  }
}
