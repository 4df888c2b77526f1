import type { FieldMap } from '#src/domain/field-schema.ts'
import type { NetRenames } from '#src/domain/net-renames.ts'
import { type PastRename, renamesAfter } from '#src/domain/past-rename.ts'
import type { TagRename } from '#src/domain/renamed-entry.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import type { NameObstacle } from '#src/domain/name-obstacle.ts'
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
  fields: FieldMap
  look: TagLook | null
  schema_version: number
  /** As they are in the base. */
  stored_fields: FieldMap
  /** Deleted ones too. */
  extends: Ulid[]
  /** Renames that undo has taken back, in the order in which it did. */
  renamed: TagRename[]
}

/** What the changes to be undone concern, as it is now. Undo changes it in memory. */
export interface UndoWorld {
  items: Map<Ulid, UndoItem>
  tags: Map<Ulid, UndoTag>
  /** Tags that undo named or brought back, with the event that it took back for it. */
  named: Map<Ulid, Ulid>
  /** What tags extend, deleted ones on either side too; those are in `gone`. */
  edges: Map<Ulid, readonly Ulid[]>
  gone: Set<Ulid>
  /** Items, deleted ones too, that have a tag which may have to go. */
  holders: Map<Ulid, Set<Ulid>>
  /** All renames of the tags, oldest first, that are in force: those that undo takes back leave. */
  renames: Map<Ulid, PastRename[]>
  /** Renames (ids of their events) that an item, of those that undo does not know, stands in the way of. */
  occupied: Map<Ulid, NameObstacle>
}

/** What a conflict of undo shows besides (further §18). */
export interface ConflictValues {
  /** Null of a tag, and of an item that has been purged. */
  item_name: string | null
  /** What is there now, and what undo would set back; null where that is no value. */
  present: unknown
  restored: unknown
}

/** Why something cannot be set back. */
export interface UndoConflict extends ConflictValues {
  change_id: Ulid
  event_id: Ulid
  item_id: Ulid | null
  tag_id: Ulid | null
  /** `name`, `Task.status`, `Task`; null where it is the item or tag itself. */
  path: string | null
  reason: string
  suggestion: string
}

const copyItem = (item: UndoItem): UndoItem => ({
  ...item,
  tags: new Map(
    [...item.tags].map(([tag_id, { schema_version, values }]) => [
      tag_id,
      { schema_version, values: new Map(values) },
    ]),
  ),
})

export const copyWorld = (world: UndoWorld): UndoWorld => ({
  items: new Map([...world.items].map(([id, item]) => [id, copyItem(item)])),
  tags: new Map([...world.tags].map(([id, tag]) => [id, { ...tag, renamed: [...tag.renamed] }])),
  named: new Map(),
  edges: new Map(world.edges),
  gone: new Set(world.gone),
  renames: new Map(world.renames),
  occupied: world.occupied,
  holders: new Map([...world.holders].map(([id, items]) => [id, new Set(items)])),
})

/** What the renames of a tag come to that followed an event and are in force. */
export const laterRenames = ({ renames }: UndoWorld, tag_id: Ulid, event_id: Ulid): NetRenames =>
  renamesAfter(renames.get(tag_id) ?? [], event_id)
