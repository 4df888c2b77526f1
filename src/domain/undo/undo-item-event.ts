import { type FieldValues, valueOf } from '#src/domain/field-values.ts'
import { isMissing } from '#src/domain/item-then.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import { sameJson } from '#src/domain/same-json.ts'
import {
  DONE,
  refuse,
  sameValues,
  type Outcome,
  type Refusal,
  type Undoing,
} from '#src/domain/undo/undo-outcome.ts'
import { subFieldsLeft } from '#src/domain/undo/sub-fields-left.ts'
import type { UndoItem } from '#src/domain/undo/undo-world.ts'

/** Said of an item that is not there any more. */
export const PURGED_ITEM = 'The item has been purged'
const LEAVE_IT = 'Leave this out, or set it by hand'

/** Takes back what an event did to an item. */
export function undoItemEvent(event: PastEvent, undoing: Undoing): Outcome {
  if (event.event_type === 'item_purged')
    return refuse({ reason: 'A purge cannot be undone', suggestion: 'Leave this change out' })
  if (event.event_type === 'audit_redacted')
    return refuse({ reason: 'A redaction cannot be undone', suggestion: 'Leave this change out' })
  const item = undoing.world.items.get(event.item_id!)
  if (!item || item.presence === 'purged')
    return refuse({ reason: PURGED_ITEM, suggestion: 'Leave this change out' })
  if (isMissing(event))
    return refuse({
      reason: 'What it changed has been redacted from the log',
      suggestion: LEAVE_IT,
    })
  return INVERSES[event.event_type]!(event, item, undoing)
}

type Inverse = (event: PastEvent, item: UndoItem, undoing: Undoing) => Outcome

const INVERSES: Record<string, Inverse> = {
  item_created: undoCreation,
  item_updated: undoUpdate,
  item_deleted: (_, item) => {
    if (item.presence === 'live')
      return refuse({ reason: 'The item has been restored', suggestion: LEAVE_IT })
    item.presence = 'live'
    return DONE
  },
  item_restored: (_, item) => {
    if (item.presence === 'deleted') return isDeleted()
    item.presence = 'deleted'
    return DONE
  },
  tag_applied: undoApplied,
  tag_removed: undoRemoved,
  tag_values_updated: undoValues,
}

const isDeleted = () =>
  refuse({ reason: 'The item is deleted', suggestion: 'Restore the item first, or undo its deletion too' })

/** Deleted softly, where it is as it was made: it keeps the tags that it was made with. */
function undoCreation({ details }: PastEvent, item: UndoItem, { world }: Undoing): Outcome {
  if (item.presence === 'deleted') return isDeleted()
  const refused: Refusal[] = []
  for (const field of ['name', 'description'] as const)
    if (item[field] !== details[field]) refused.push(changedSince(field))
  const made = new Map((details.tags ?? []).map((tag) => [tag.tag_id, tag]))
  for (const [tag_id, { values }] of item.tags) {
    const path = world.tags.get(tag_id)?.name ?? tag_id
    const tag = made.get(tag_id)
    if (!tag)
      refused.push({
        path,
        tag_id,
        reason: 'The item has been given this tag since',
        suggestion: 'Undo that change too, or delete the item',
      })
    else if (!sameValues(values, tag.initial_values)) refused.push({ ...changedSince(path), tag_id })
  }
  for (const [tag_id, { tag_name }] of made)
    if (!item.tags.has(tag_id))
      refused.push({
        path: world.tags.get(tag_id)?.name ?? tag_name,
        tag_id,
        reason: 'The tag has been taken off the item since',
        suggestion: 'Undo that change too, or delete the item',
      })
  if (refused.length) return { undone: false, refused }
  item.presence = 'deleted'
  return DONE
}

const changedSince = (path: string): Refusal => ({
  path,
  reason: 'It has another value now',
  suggestion: 'Undo the later change too, or leave this one out',
})

/** The undo of a part may have been there first (further §18), or somebody's hand. */
const backAlready = (path: string): Refusal => ({
  path,
  reason: 'It is as it was before already: undone, or set back by hand',
  suggestion: 'Leave this out: nothing of it is left to take back',
})

function undoUpdate(event: PastEvent, item: UndoItem): Outcome {
  const { details } = event
  if (item.presence !== 'live' && !onDeleted(event)) return isDeleted()
  const refused: Refusal[] = []
  let undone = false
  for (const field of details.fields_changed as ('name' | 'description')[])
    if (item[field] === details.new_values![field]) {
      Object.assign(item, { [field]: details.old_values![field] })
      undone = true
    } else refused.push(item[field] === details.old_values![field] ? backAlready(field) : changedSince(field))
  return { undone, refused }
}

const pathOf = ({ tag_id, details }: PastEvent, { world }: Undoing) =>
  world.tags.get(tag_id!)?.name ?? details.tag_name ?? tag_id!

/** What a tag's deletion did to deleted items, and undo itself: it is right on deleted ones. */
const onDeleted = ({ state }: PastEvent) => state?.updated_at === null

function undoApplied(event: PastEvent, item: UndoItem, undoing: Undoing): Outcome {
  if (undoing.initial.has(event.event_id)) return DONE
  if (item.presence !== 'live' && !onDeleted(event)) return isDeleted()
  const path = pathOf(event, undoing)
  const entry = item.tags.get(event.tag_id!)
  if (!entry) return refuse({ path, reason: 'The item does not have the tag any more', suggestion: LEAVE_IT })
  if (!sameValues(entry.values, event.details.initial_values!))
    return refuse({
      path,
      reason: 'The tag would be taken off, and its values have changed since',
      suggestion: 'Undo the later changes too, or leave this one out',
    })
  item.tags.delete(event.tag_id!)
  return DONE
}

function undoRemoved(event: PastEvent, item: UndoItem, undoing: Undoing): Outcome {
  const { tag_id, details, state } = event
  const path = pathOf(event, undoing)
  if (item.presence !== 'live' && state !== null && !onDeleted(event)) return isDeleted()
  const tag = undoing.world.tags.get(tag_id!)
  // The events of a tag's deletion follow it, so its own inverse is still to come.
  const comes =
    tag?.presence === 'deleted' && (state === null || onDeleted(event)) && !undoing.dead.has(tag_id!)
  if (tag?.presence !== 'live' && !comes)
    return refuse({
      path,
      reason: tag ? 'The tag is deleted' : 'The tag has been purged',
      suggestion: tag ? 'Restore the tag first, or undo its deletion too' : LEAVE_IT,
    })
  if (item.tags.has(tag_id!))
    return refuse({ path, reason: 'The item has the tag again', suggestion: LEAVE_IT })
  const schema_version = state?.old_schema_version ?? tag.schema_version
  undoing.world.holders.get(tag_id!)?.add(item.item_id)
  item.tags.set(tag_id!, { schema_version, values: new Map(Object.entries(details.old_values!)) })
  return DONE
}

function undoValues(event: PastEvent, item: UndoItem, undoing: Undoing): Outcome {
  if (item.presence !== 'live' && !onDeleted(event)) return isDeleted()
  const { details, state } = event
  const tag = pathOf(event, undoing)
  const entry = item.tags.get(event.tag_id!)
  if (!entry)
    return refuse({ path: tag, reason: 'The item does not have the tag any more', suggestion: LEAVE_IT })
  const refused: Refusal[] = []
  const { values } = entry
  const asLeft: string[] = []
  for (const field of details.fields_changed!)
    if (hasAs(values, field, details.new_values!)) asLeft.push(field)
    else {
      const path = `${tag}.${field}`
      refused.push(hasAs(values, field, details.old_values!) ? backAlready(path) : changedSince(path))
    }
  const left = fieldsLeft(event, values, asLeft, undoing)
  for (const field of left)
    refused.push({
      path: `${tag}.${field}`,
      reason: 'Another variant is chosen now, or would be left with its values',
      suggestion: 'Undo the later change too, or leave this one out',
    })
  restore(values, details, new Set(asLeft).difference(left))
  const undone = refused.length < details.fields_changed!.length || !details.fields_changed!.length
  if (
    !refused.length &&
    state?.old_schema_version !== undefined &&
    entry.schema_version === state.schema_version
  )
    entry.schema_version = state.old_schema_version
  return { undone, refused }
}

/** Whether a field has the value, or none, that an event tells of. */
const hasAs = (values: ReadonlyMap<string, unknown>, field: string, told: FieldValues): boolean =>
  values.has(field) === Object.hasOwn(told, field) &&
  sameJson(values.get(field) ?? null, valueOf(told, field))

/** Values of older schemas come back as they were, whatever the present one says of sub-fields. */
function fieldsLeft(
  event: PastEvent,
  values: ReadonlyMap<string, unknown>,
  asLeft: readonly string[],
  { world }: Undoing,
): ReadonlySet<string> {
  const { tag_id, state } = event
  const tag = world.tags.get(tag_id!)
  const version = state?.old_schema_version ?? state?.schema_version
  if (!tag || version !== tag.schema_version) return new Set()
  return subFieldsLeft(tag.fields, values, asLeft, (fields) =>
    restore(new Map(values), event.details, fields),
  )
}

/** Sets these fields back among the values. */
function restore(
  values: Map<string, unknown>,
  { old_values }: PastEvent['details'],
  fields: ReadonlySet<string>,
): Map<string, unknown> {
  for (const field of fields)
    if (Object.hasOwn(old_values!, field)) values.set(field, old_values![field])
    else values.delete(field)
  return values
}
