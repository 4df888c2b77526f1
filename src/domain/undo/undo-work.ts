import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { UndoEntry, UndoItem, UndoTag, UndoWorld } from '#src/domain/undo/undo-world.ts'

/** A tag that goes from an item or comes back to it. */
export interface EntryWork {
  tag_id: Ulid
  schema_version: number
  values: FieldValues
}

/** Values of a tag that an item keeps. */
export interface ValuesWork extends EntryWork {
  old_schema_version: number
  fields_changed: string[]
  old_values: FieldValues
  new_values: FieldValues
}

interface NameAndDescription {
  name: string
  description: string | null
}

/** What becomes of one item. Plain data: it crosses to the writer. */
export interface ItemWork extends NameAndDescription {
  /** Row id. */
  id: number
  item_id: Ulid
  /** Whether it was live before, and is after. */
  was_live: boolean
  is_live: boolean
  /** Where they change. */
  old: NameAndDescription | null
  removed: EntryWork[]
  applied: EntryWork[]
  changed: ValuesWork[]
}

type Told = Pick<UndoTag, 'name' | 'description' | 'fields' | 'extends'>
export interface TagWork extends Told {
  /** Row id. */
  id: number
  tag_id: Ulid
  was_live: boolean
  is_live: boolean
  fields_changed: (keyof Told)[]
  old: Told
}

/** What the undone events come to: the difference between the world as it is and as it is to be. */
export interface UndoWork {
  items: ItemWork[]
  tags: TagWork[]
}

export function undoWork(before: UndoWorld, after: UndoWorld): UndoWork {
  return {
    items: [...after.items.values()].flatMap((item) => itemWork(before.items.get(item.item_id)!, item) ?? []),
    tags: [...after.tags.values()].flatMap((tag) => tagWork(before.tags.get(tag.tag_id)!, tag) ?? []),
  }
}

function itemWork(before: UndoItem, after: UndoItem): ItemWork | null {
  const { id, item_id, name, description } = after
  const renamed = before.name !== name || before.description !== description
  const work: ItemWork = {
    id,
    item_id,
    name,
    description,
    was_live: before.presence === 'live',
    is_live: after.presence === 'live',
    old: renamed ? { name: before.name, description: before.description } : null,
    removed: [...before.tags].filter(([tag_id]) => !after.tags.has(tag_id)).map(entryWork),
    applied: [...after.tags].filter(([tag_id]) => !before.tags.has(tag_id)).map(entryWork),
    changed: [...after.tags].flatMap(
      ([tag_id, entry]) => valuesWork(tag_id, before.tags.get(tag_id), entry) ?? [],
    ),
  }
  const { removed, applied, changed } = work
  const moves = work.was_live !== work.is_live || renamed
  return moves || removed.length || applied.length || changed.length ? work : null
}

const entryWork = ([tag_id, { schema_version, values }]: [Ulid, UndoEntry]): EntryWork => ({
  tag_id,
  schema_version,
  values: Object.fromEntries(values),
})

function valuesWork(tag_id: Ulid, before: UndoEntry | undefined, after: UndoEntry): ValuesWork | null {
  if (!before) return null
  const [old, values] = [Object.fromEntries(before.values), Object.fromEntries(after.values)]
  const changes = fieldValueChanges(old, values)
  const { schema_version } = after
  if (!changes.fields_changed.length && schema_version === before.schema_version) return null
  return { tag_id, schema_version, values, old_schema_version: before.schema_version, ...changes }
}

const PROPERTIES = ['name', 'description', 'fields', 'extends'] as const

function tagWork(before: UndoTag, after: UndoTag): TagWork | null {
  const fields_changed = PROPERTIES.filter(
    (property) =>
      !sameJson(before[property], after[property]) ||
      // The order of the fields counts too.
      (property === 'fields' && JSON.stringify(before.fields) !== JSON.stringify(after.fields)),
  )
  const [was_live, is_live] = [before.presence === 'live', after.presence === 'live']
  if (!fields_changed.length && was_live === is_live) return null
  const { id, tag_id } = after
  return { id, tag_id, was_live, is_live, fields_changed, ...told(after), old: told(before) }
}

const told = ({ name, description, fields, extends: bases }: UndoTag): Told => ({
  name,
  description,
  fields,
  extends: bases,
})
