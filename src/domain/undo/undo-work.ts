import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { entryRenamer, type TagRename } from '#src/domain/renamed-entry.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { inTheWay, renameInValues, type TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { versionOf } from '#src/domain/undo/undo-rename.ts'
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
  /** Values that leave before names are taken back, because they are where renamed values are to be. */
  cleared: ValuesWork[]
  removed: EntryWork[]
  applied: EntryWork[]
  changed: ValuesWork[]
}

type UndoNotes = Pick<UndoTag, 'name' | 'description' | 'fields' | 'look' | 'extends'>

/** One change of a tag. */
export interface TagStep extends UndoNotes {
  fields_changed: (keyof UndoNotes)[]
  old: UndoNotes
  old_schema_version: number
  schema_version: number
  /** Names that follow, as lists because it crosses to the writer. */
  renames: { fields: [string, string][]; variants: [string, [string, string][]][] } | null
}

export interface TagWork {
  /** Row id. */
  id: number
  tag_id: Ulid
  was_live: boolean
  is_live: boolean
  /** As it will be named. */
  name: string
  steps: TagStep[]
  /** Where it changes: all that it will extend. */
  extends: Ulid[] | null
}

/** What the undone events come to: the difference between the world as it is and as it is to be. */
export interface UndoWork {
  items: ItemWork[]
  tags: TagWork[]
}

export function undoWork(before: UndoWorld, after: UndoWorld): UndoWork {
  const tags = [...after.tags.values()].flatMap((tag) => tagWork(before.tags.get(tag.tag_id)!, tag) ?? [])
  const renames = new Map(
    [...after.tags.values()].flatMap(({ tag_id, renamed }) =>
      renamed.length ? [[tag_id, { renamed, steps: renamed.map(entryRenamer) }] as const] : [],
    ),
  )
  return {
    items: [...after.items.values()].flatMap((item) => {
      const { cleared, left } = renamedItem(before.items.get(item.item_id)!, renames)
      return itemWork(left, item, cleared) ?? []
    }),
    tags,
  }
}

/** Whether two works, of the same base, leave it alike, by whatever steps. */
export const comesToTheSame = (a: UndoWork, b: UndoWork): boolean => sameJson(outcomeOf(a), outcomeOf(b))

function outcomeOf({ items, tags }: UndoWork) {
  return {
    items: Object.fromEntries(items.map((item) => [item.item_id, { ...item, cleared: null }])),
    tags: Object.fromEntries(
      tags.flatMap(({ tag_id, was_live, is_live, steps }) => {
        const [first, last] = [steps[0], steps.at(-1)]
        const changed = first && last && differing(first.old, last).length ? told(last) : null
        return changed || was_live !== is_live ? [[tag_id, { is_live, changed }]] : []
      }),
    ),
  }
}

type Renames = ReadonlyMap<
  Ulid,
  { renamed: readonly TagRename[]; steps: readonly ReturnType<typeof entryRenamer>[] }
>

/** As it is when the renames, which are written first and concern all items, have been taken back. */
function renamedItem(item: UndoItem, renames: Renames): { cleared: ValuesWork[]; left: UndoItem } {
  const cleared: ValuesWork[] = []
  if (!renames.size) return { cleared, left: item }
  const tags = [...item.tags].map(([tag_id, entry]): [Ulid, UndoEntry] => {
    const of = renames.get(tag_id)
    if (!of) return [tag_id, entry]
    const free = new Map([...entry.values].filter((value) => !isInTheWay(value, of.renamed)))
    const freed = { ...entry, values: free }
    if (free.size < entry.values.size) cleared.push(valuesWork(tag_id, entry, freed)!)
    const { schema_version, values } = of.steps.reduce((then, renamed) => renamed(then), {
      schema_version: entry.schema_version,
      values: Object.fromEntries(free),
    })
    return [tag_id, { schema_version, values: new Map(Object.entries(values)) }]
  })
  return { cleared, left: { ...item, tags: new Map(tags) } }
}

/** Whether a value, which undo sets back later on, is where one of the renames is to bring another. */
function isInTheWay([name, value]: [string, unknown], renamed: readonly TagRename[]): boolean {
  let values = Object.fromEntries([[name, value]])
  for (const { renames } of renamed) {
    if (inTheWay(values, renames) !== undefined) return true
    values = renameInValues(values, renames)
  }
  return false
}

function itemWork(before: UndoItem, after: UndoItem, cleared: ValuesWork[]): ItemWork | null {
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
    cleared,
    removed: [...before.tags].filter(([tag_id]) => !after.tags.has(tag_id)).map(entryWork),
    applied: [...after.tags].filter(([tag_id]) => !before.tags.has(tag_id)).map(entryWork),
    changed: [...after.tags].flatMap(
      ([tag_id, entry]) => valuesWork(tag_id, before.tags.get(tag_id), entry) ?? [],
    ),
  }
  const { removed, applied, changed } = work
  const moves = work.was_live !== work.is_live || renamed
  return moves || [cleared, removed, applied, changed].some(({ length }) => length) ? work : null
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

const PROPERTIES = ['name', 'description', 'fields', 'look', 'extends'] as const

function tagWork(before: UndoTag, after: UndoTag): TagWork | null {
  const [was_live, is_live] = [before.presence === 'live', after.presence === 'live']
  const steps = stepsOf(before, after)
  if (!steps.length && was_live === is_live) return null
  const { id, tag_id, name } = after
  const bases = steps.some(({ fields_changed }) => fields_changed.includes('extends')) ? after.extends : null
  return { id, tag_id, was_live, is_live, name, steps, extends: bases }
}

/** The renames one by one, because values follow each, and everything else at once. */
function stepsOf(before: UndoTag, after: UndoTag): TagStep[] {
  const steps: TagStep[] = []
  let last = { ...told(before), schema_version: before.schema_version }
  const go = (next: UndoNotes, schema_version: number, renames: TagStep['renames']) => {
    const fields_changed = differing(last, next)
    const { schema_version: old_schema_version, ...old } = last
    if (fields_changed.length || renames)
      steps.push({ ...next, fields_changed, old, old_schema_version, schema_version, renames })
    last = { ...next, schema_version }
  }
  for (const rename of after.renamed) {
    go({ ...last, fields: rename.before }, rename.old_schema_version, null)
    go({ ...last, fields: rename.after }, rename.schema_version, asLists(rename.renames))
  }
  go(told(after), versionOf(after, after.fields), null)
  return steps
}

export const renamesOfStep = ({ renames }: TagStep): TagRenames => ({
  fields: new Map(renames?.fields),
  variants: new Map(renames?.variants.map(([field, names]) => [field, new Map(names)])),
})

const asLists = ({ fields, variants }: TagRenames): TagStep['renames'] => ({
  fields: [...fields],
  variants: [...variants].map(([field, names]) => [field, [...names]]),
})

const differing = (before: UndoNotes, after: UndoNotes) =>
  PROPERTIES.filter(
    (property) =>
      !sameJson(before[property], after[property]) ||
      // The order of the fields counts too.
      (property === 'fields' && JSON.stringify(before.fields) !== JSON.stringify(after.fields)),
  )

const told = ({ name, description, fields, look, extends: bases }: UndoNotes): UndoNotes => ({
  name,
  description,
  fields,
  look,
  extends: bases,
})
