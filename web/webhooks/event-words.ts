import type { createWebhook } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'

export type EventType = NonNullable<InputOf<typeof createWebhook>['event_types']>[number]

/** The types of events as people say them. */
export const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  item_created: 'an item is made',
  item_updated: 'its name or description changes',
  item_deleted: 'an item is deleted',
  item_restored: 'an item is restored',
  item_purged: 'an item is purged',
  tag_applied: 'an item gets a tag',
  tag_values_updated: 'values change',
  tag_removed: 'an item loses a tag',
  tag_created: 'a tag is made',
  tag_updated: 'a tag changes',
  tag_deleted: 'a tag is deleted',
  tag_restored: 'a tag is restored',
  tag_purged: 'a tag is purged',
  audit_redacted: 'the log is redacted',
}

export const EVENT_TYPES = Object.keys(EVENT_WORDS) as EventType[]

/** `tag_applied` where it is said alone. */
export function sayEvent(type: string | null): string {
  const text = (type ?? 'an event').replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
