import type { EventDetails, EventState, PastEvent } from '#src/domain/past-event.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import type { FieldMap } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { filesAdded, filesIn } from '#src/domain/mentioned-files.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { PathChange } from '#src/domain/event-changes.ts'

/** A tag of an item that is to be made. */
export interface MadeEntry {
  tag_id: Ulid
  tag_name: string
  schema_version: number
  /** It was up to date. */
  current: boolean
  values: FieldValues
}

/** An item as it is to be made. */
export interface MadeItem {
  name: string
  description: string | null
  /** false: it is deleted again. */
  live: boolean
  tags: MadeEntry[]
}

/** A tag as it is to be made. */
export interface MadeTag {
  name: string
  description: string | null
  fields: FieldMap
  look: TagLook | null
  schema_version: number
  extends: Ulid[]
  live: boolean
}

/** An event of the taking back; the rest of a PastEvent is the same for all. */
export interface ProposedEvent {
  /** In their order; comparable with ids of the log. */
  event_id: string
  event_type: string
  tag_id: Ulid | null
  details: EventDetails
  state: EventState | null
}

/**
 * What a proposal would do to one item or tag: make it, or what its events did when they took it back. To take those
 * back is to do it (decision 133).
 */
export interface ProposedPart {
  item_id: Ulid | null
  tag_id: Ulid | null
  /** As it was named when it was proposed. */
  name: string
  made_item?: MadeItem
  made_tag?: MadeTag
  events: ProposedEvent[]
  /** Items that lived when it was proposed and to which it would set references: they must live when it is accepted. */
  refers?: Ulid[]
  /** Of an item that would be merged: the one that stays, which must live too. */
  merged_into?: Ulid
}

/** As it is stored. */
export interface StoredPart extends ProposedPart {
  position: number
}

export type PartAction = 'created' | 'changed' | 'deleted' | 'restored'

export const idOfPart = ({ item_id, tag_id }: Pick<ProposedPart, 'item_id' | 'tag_id'>): Ulid =>
  (item_id ?? tag_id)!

export const pastEvent = ({ item_id }: ProposedPart, event: ProposedEvent): PastEvent => ({
  ...event,
  change_id: '',
  item_id,
  created_at: '',
  redacted: false,
})

export function actionOf({ made_item, made_tag, events }: ProposedPart): PartAction {
  if (made_item || made_tag) return 'created'
  const types = new Set(events.map(({ event_type }) => event_type))
  if (types.has('item_restored') || types.has('tag_restored')) return 'deleted'
  return types.has('item_deleted') || types.has('tag_deleted') ? 'restored' : 'changed'
}

/** What it would change, path by path; of what is made all that it would have, of what goes its name. */
export function changesOfPart(part: ProposedPart): PathChange[] {
  const { made_item, made_tag, events } = part
  if (made_item) return changesOfMadeItem(made_item)
  if (made_tag)
    return (['name', 'description', 'fields', 'look', 'extends'] as const).flatMap((path) =>
      made_tag[path] === null || (path === 'extends' && !made_tag.extends.length)
        ? []
        : [{ path, old: null, new: made_tag[path] }],
    )
  return events.flatMap((event) => changesOfEvent(part, event))
}

const changesOfMadeItem = ({ name, description, tags }: MadeItem): PathChange[] => [
  { path: 'name', old: null, new: name },
  ...(description === null ? [] : [{ path: 'description', old: null, new: description }]),
  ...tags.map(({ tag_name, values }) => ({ path: tag_name, old: null, new: values })),
]

/** The other way round: the event took it back. */
function changesOfEvent(
  { name }: ProposedPart,
  { event_type, tag_id, details }: ProposedEvent,
): PathChange[] {
  const tag = details.tag_name ?? tag_id ?? ''
  switch (event_type) {
    case 'item_restored':
    case 'tag_restored':
      return [{ path: 'name', old: name, new: null }]
    case 'item_deleted':
    case 'tag_deleted':
      return [{ path: 'name', old: null, new: name }]
    case 'tag_applied':
      return [{ path: tag, old: details.initial_values, new: null }]
    case 'tag_removed':
      return [{ path: tag, old: null, new: details.old_values }]
    default: {
      const [before, after] = [details.new_values ?? {}, details.old_values ?? {}]
      const value = (values: FieldValues, field: string) =>
        Object.hasOwn(values, field) ? values[field] : null
      return (details.fields_changed ?? []).map((field) => ({
        path: event_type === 'tag_values_updated' ? `${tag}.${field}` : field,
        old: value(before, field),
        new: value(after, field),
      }))
    }
  }
}

/** Files that it would bring where they are not named so far; what it takes out or leaves as it is brings none. */
export function filesProposed({ made_item, made_tag, events }: ProposedPart): Set<Ulid> {
  const found = filesIn(made_tag)
  if (made_item) {
    const { name, description, tags } = made_item
    filesIn([name, description, tags.map(({ values }) => values)], found)
  }
  // The other way round, as above.
  for (const { details } of events) filesAdded(details.old_values ?? {}, details.new_values ?? {}, found)
  return found
}

/** What is left of an event of which only these of its fields (by their places) were refused. */
export function leftOfEvent(event: ProposedEvent, refused: ReadonlySet<number>): ProposedEvent {
  const { details } = event
  const fields_changed = details.fields_changed!.filter((_, i) => refused.has(i))
  const pick = (values: FieldValues = {}) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => fields_changed.includes(field)))
  const { renamed_fields, renamed_variants, ...rest } = details
  return {
    ...event,
    details: {
      ...rest,
      ...(fields_changed.includes('fields') && {
        ...(renamed_fields && { renamed_fields }),
        ...(renamed_variants && { renamed_variants }),
      }),
      fields_changed,
      old_values: pick(details.old_values),
      new_values: pick(details.new_values),
    },
  }
}

/** As it is shown. */
export const partAnswer = (part: ProposedPart) => ({
  ...(part.item_id === null ? { tag_id: part.tag_id } : { item_id: part.item_id }),
  name: part.name,
  action: actionOf(part),
  changes: changesOfPart(part),
})
