import type { PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** One thing that an event changed on an item; null for what was not there. */
export interface PathChange {
  /** `name`, `description`, `<Tag>.<field>`, or `<Tag>` for a tag that came or went. */
  path: string
  old: unknown
  new: unknown
}

/** What an event changed on its item; nothing that is known where it is redacted. `nameOf` knows the tags that there still are. */
export function eventChanges(
  {
    event_type,
    tag_id,
    details,
    redacted,
  }: Pick<PastEvent, 'event_type' | 'tag_id' | 'details' | 'redacted'>,
  nameOf: (tag_id: Ulid) => string | undefined,
): PathChange[] {
  if (redacted) return []
  const tag = tag_id === null ? '' : (nameOf(tag_id) ?? details.tag_name ?? tag_id)
  switch (event_type) {
    case 'item_created': // its tags have events of their own
      return (['name', 'description'] as const).flatMap((path) =>
        (details[path] ?? null) === null ? [] : [{ path, old: null, new: details[path] }],
      )
    case 'tag_applied':
      return [{ path: tag, old: null, new: details.initial_values }]
    case 'tag_removed':
      return [{ path: tag, old: details.old_values, new: null }]
    case 'item_updated':
    case 'tag_values_updated': {
      const [before, after] = [details.old_values ?? {}, details.new_values ?? {}]
      const value = (values: object, field: string) =>
        Object.hasOwn(values, field) ? (values as Record<string, unknown>)[field] : null
      return (details.fields_changed ?? []).map((field) => ({
        path: event_type === 'item_updated' ? field : `${tag}.${field}`,
        old: value(before, field),
        new: value(after, field),
      }))
    }
    default:
      return []
  }
}
