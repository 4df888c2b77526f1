import type { PastEvent } from '#src/domain/past-event.ts'
import type { FieldMap } from '#src/domain/field-schema.ts'
import { pastRename, wholeFieldsNow } from '#src/domain/past-rename.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { DONE, refuse, type Outcome, type Refusal, type Undoing } from '#src/domain/undo/undo-outcome.ts'
import { undoRename } from '#src/domain/undo/undo-rename.ts'
import { laterRenames, type UndoTag, type UndoWorld } from '#src/domain/undo/undo-world.ts'

const LATER = 'Undo the later change too, or leave this one out'

/** Takes back what an event did to a tag itself. */
export function undoTagEvent(event: PastEvent, undoing: Undoing): Outcome {
  const { world } = undoing
  if (event.event_type === 'tag_purged')
    return refuse({ reason: 'A purge cannot be undone', suggestion: 'Leave this change out' })
  const tag = world.tags.get(event.tag_id!)
  if (!tag) return refuse({ reason: 'The tag has been purged', suggestion: 'Leave this change out' })
  return INVERSES[event.event_type]!(event, tag, undoing)
}

const INVERSES: Record<string, (event: PastEvent, tag: UndoTag, undoing: Undoing) => Outcome> = {
  tag_created: undoCreation,
  tag_restored: (_, tag, { world }) => remove(tag, world),
  tag_deleted: undoDeletion,
  tag_updated: undoUpdate,
}

/** What an event says of a tag. */
const PROPERTIES = ['name', 'description', 'fields', 'look', 'extends'] as const
type Property = (typeof PROPERTIES)[number]

function undoCreation({ details, event_id }: PastEvent, tag: UndoTag, { world }: Undoing): Outcome {
  const refused: Refusal[] = []
  const fields = wholeFieldsNow((details.fields ?? {}) as FieldMap, laterRenames(world, tag.tag_id, event_id))
  const made: Record<string, unknown> = { ...details, fields }
  for (const property of PROPERTIES)
    if (!sameJson(tag[property], made[property] ?? (property === 'extends' ? [] : null)))
      refused.push({ path: property, reason: 'The tag has been changed since', suggestion: LATER })
  return refused.length ? { undone: false, refused } : remove(tag, world)
}

/** Off the items that are deleted it goes as with any deletion; live ones it must have left before. */
function remove(tag: UndoTag, world: UndoWorld): Outcome {
  if (tag.presence !== 'live')
    return refuse({ reason: 'The tag is deleted already', suggestion: 'Leave this change out' })
  const known = [...(world.holders.get(tag.tag_id) ?? [])].map((item_id) => world.items.get(item_id))
  const holders = known.filter((item) => item === undefined || item.tags.has(tag.tag_id))
  if (holders.some((item) => item?.presence !== 'deleted'))
    return refuse({
      path: tag.name,
      reason: 'Items have the tag now, and their values for it would go with it',
      suggestion: 'Undo what applied it too, or delete the tag by hand',
    })
  for (const item of holders) item!.tags.delete(tag.tag_id)
  tag.presence = 'deleted'
  world.gone.add(tag.tag_id)
  return DONE
}

function undoDeletion({ event_id }: PastEvent, tag: UndoTag, { world, clashing }: Undoing): Outcome {
  if (tag.presence === 'live')
    return refuse({ reason: 'The tag has been restored', suggestion: 'Leave this change out' })
  const name = clashing.get(event_id)
  if (name !== undefined) return taken(name)
  if (closesCircle(tag, tag.extends, world)) return circle()
  tag.presence = 'live'
  world.named.set(tag.tag_id, event_id)
  world.gone.delete(tag.tag_id)
  return DONE
}

const taken = (name: string): Outcome =>
  refuse({
    path: 'name',
    reason: `Another tag is named '${name}' now`,
    suggestion: 'Rename that tag first',
  })
const circle = (): Outcome =>
  refuse({
    path: 'extends',
    reason: 'The tag would extend itself, directly or through others',
    suggestion: 'Change what the other tags extend first',
  })

function undoUpdate(event: PastEvent, tag: UndoTag, undoing: Undoing): Outcome {
  // What undo did to a deleted tag is right on one.
  if (tag.presence !== 'live' && event.state?.updated_at !== null)
    return refuse({ reason: 'The tag is deleted', suggestion: 'Restore the tag first' })
  const refused: Refusal[] = []
  let undone = false
  for (const property of event.details.fields_changed as Property[]) {
    const outcome = setBack(tag, property, event, undoing)
    refused.push(...outcome.refused)
    undone ||= outcome.undone
  }
  return { undone, refused }
}

function setBack(tag: UndoTag, property: Property, event: PastEvent, { world, clashing }: Undoing): Outcome {
  const { state, event_id } = event
  const { old_values, new_values } = event.details
  const rename = property === 'fields' ? pastRename(event) : null
  if (rename) return undoRename(rename, tag, world)
  const later = laterRenames(world, tag.tag_id, event_id)
  const now = (value: unknown) => (property === 'fields' ? wholeFieldsNow(value as FieldMap, later) : value)
  if (!sameJson(tag[property], now(new_values![property])))
    return refuse({ path: property, reason: 'It has another value now', suggestion: LATER })
  const before = now(old_values![property])
  if (property === 'name') {
    const name = clashing.get(event_id)
    if (name !== undefined) return taken(name)
    world.named.set(tag.tag_id, event_id)
  }
  // What was dropped before something else got its name has no place any more.
  if (before === undefined)
    return refuse({
      path: property,
      reason: 'A field or variant has been given a name that comes back',
      suggestion: LATER,
    })
  if (property === 'extends') {
    const bases = state?.old_extends ?? (before as Ulid[])
    if (closesCircle(tag, bases, world)) return circle()
    world.edges.set(tag.tag_id, bases)
    tag.extends = [...bases]
    return DONE
  }
  Object.assign(tag, { [property]: before })
  return DONE
}

function closesCircle({ tag_id }: UndoTag, bases: readonly Ulid[], { edges, gone }: UndoWorld): boolean {
  const seen = new Set<Ulid>()
  const open = [...bases]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === tag_id) return true
    if (seen.has(next) || gone.has(next)) continue
    seen.add(next)
    open.push(...(edges.get(next) ?? []))
  }
  return false
}
