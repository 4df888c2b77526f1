import type { Ulid } from '#src/domain/ulid.ts'

/** A tag on an item, as undo reads and changes it. Names of fields may be any text, so they are keys of a Map. */
export interface UndoEntry {
  schema_version: number
  values: Map<string, unknown>
}

export type Presence = 'live' | 'deleted' | 'purged'

export interface UndoItem {
  /** Row id. */
  id: number
  item_id: Ulid
  presence: Presence
  name: string
  description: string | null
  tags: Map<Ulid, UndoEntry>
}

export interface UndoTag {
  /** Row id. */
  id: number
  tag_id: Ulid
  presence: Presence
  name: string
  description: string | null
  fields: Record<string, unknown>
  schema_version: number
  /** Deleted ones too. */
  extends: Ulid[]
}

/** What the changes to be undone concern, as it stands now. Undo changes it in memory. */
export interface UndoWorld {
  items: Map<Ulid, UndoItem>
  tags: Map<Ulid, UndoTag>
  /** Names of live tags, with the tag that has each. */
  names: Map<string, Ulid>
  /** What tags extend, deleted ones on either side too; those stand in `gone`. */
  edges: Map<Ulid, readonly Ulid[]>
  gone: Set<Ulid>
  /** Items, deleted ones too, that have a tag which may have to go. */
  holders: Map<Ulid, Set<Ulid>>
}

/** Why something cannot be set back. */
export interface UndoConflict {
  change_id: Ulid
  event_id: Ulid
  item_id: Ulid | null
  tag_id: Ulid | null
  /** `name`, `Task.status`, `Task`; null where it is the item or tag itself. */
  path: string | null
  reason: string
  suggestion: string
}

export const copyItem = (item: UndoItem): UndoItem => ({
  ...item,
  tags: new Map(
    [...item.tags].map(([tag_id, { schema_version, values }]) => [
      tag_id,
      { schema_version, values: new Map(values) },
    ]),
  ),
})
