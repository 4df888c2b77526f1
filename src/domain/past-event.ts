import type { FieldValues } from '#src/domain/field-values.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** What undo and the past need of an event besides its `details`; no answer shows it. */
export interface EventState {
  /** Of the tag's entry on the item. */
  schema_version?: number
  old_schema_version?: number
  /** The item's, where it is not the event's time; null: the event did not move it. */
  updated_at?: string | null
  /** Where a call has several parts: which, from 1. Each moves the times of its items by itself. */
  part?: number
  /** What a tag extended, deleted tags too. */
  old_extends?: Ulid[]
  /** 128 random bits, hex, and where the log begins to be sealed (decision 47). */
  seal?: string
  sealed?: true
}

/** `details` of all types in one; which of them an event has, its type says (decisions §8). */
export interface EventDetails {
  name?: string
  description?: string | null
  fields?: Record<string, unknown>
  schema_version?: number
  extends?: Ulid[]
  look?: TagLook
  tags?: { tag_id: Ulid; tag_name: string; schema_version: number; initial_values: FieldValues }[]
  tag_name?: string
  initial_values?: FieldValues
  renamed_fields?: Record<string, string>
  renamed_variants?: Record<string, object>
  fields_changed?: string[]
  old_values?: FieldValues
  new_values?: FieldValues
}

/** An event of the log as it is read back. */
export interface PastEvent {
  event_id: Ulid
  change_id: Ulid
  event_type: string
  item_id: Ulid | null
  tag_id: Ulid | null
  created_at: string
  /** Empty where it is redacted. */
  details: EventDetails
  redacted: boolean
  /** Null on events that are older than it. */
  state: EventState | null
}

/** For sorting: as they happened. */
export const byEventId = (a: Pick<PastEvent, 'event_id'>, b: Pick<PastEvent, 'event_id'>): number =>
  a.event_id < b.event_id ? -1 : 1
