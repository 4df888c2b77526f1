import { invalid, type Problem } from '#src/domain/errors.ts'
import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { mergeEntries, type MergeSource } from '#src/domain/merge-entries.ts'
import { repointValues } from '#src/domain/repoint-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { entriesOfItems, type MergingItem } from '#src/storage/items/merging-items.ts'
import { findTagByRow, type StoredTag } from '#src/storage/tags/tags.ts'

export interface Repointed {
  item_id: Ulid
  tag_id: Ulid
  field: string
}

export interface Taken {
  path: string
  from: Ulid
  value: unknown
}

/** A tag on the item that stays, as it is and as it becomes. */
export interface PlannedEntry {
  tag: StoredTag
  /** Undefined where the tag comes from another item. */
  before: { schema_version: number; values: FieldValues } | undefined
  schema_version: number
  values: FieldValues
  changed: boolean
}

/** What merging changes on the item that stays. */
export interface MergePlan {
  kept: MergingItem
  others: readonly MergingItem[]
  description: string | null
  entries: readonly PlannedEntry[]
  repointed: Repointed[]
  taken: Taken[]
}

/** @throws BadRequest where united lists become too long */
export async function planMerge(
  db: Db,
  kept: MergingItem,
  others: readonly MergingItem[],
  prefer: 'kept' | 'newest',
): Promise<MergePlan> {
  const order = [kept, ...others]
  // A stable sort: of two that changed at once the first counts.
  if (prefer === 'newest') order.sort((a, b) => compare(b.updated_at, a.updated_at))
  const plan: MergePlan = {
    kept,
    others,
    description: kept.description,
    entries: [],
    repointed: [],
    taken: [],
  }
  const described = order.find(({ description }) => description !== null)
  if (described && described.description !== kept.description) {
    plan.description = described.description
    plan.taken.push({ path: 'description', from: described.item_id, value: described.description })
  }
  return { ...plan, entries: await planEntries(db, plan, order) }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function planEntries(
  db: Db,
  { kept, others, repointed, taken }: MergePlan,
  order: readonly MergingItem[],
): Promise<PlannedEntry[]> {
  const gone = new Set(others.map(({ item_id }) => item_id))
  const rows = await entriesOfItems(
    db,
    order.map(({ id }) => id),
  )
  const entries: PlannedEntry[] = []
  const problems: Problem[] = []
  for (const [row, applied] of Map.groupBy(rows, ({ tag }) => tag)) {
    const tag = (await findTagByRow(db, row))!
    const byItem = new Map(applied.map((each) => [each.item, each]))
    const sources = order.flatMap(({ id, item_id }): MergeSource[] => {
      const entry = byItem.get(id)
      if (!entry) return []
      const stored = JSON.parse(entry.field_values) as FieldValues
      const values = repointValues(tag.schema, stored, gone, kept.item_id)
      if (id === kept.id)
        for (const field of fieldValueChanges(stored, values).fields_changed)
          repointed.push({ item_id, tag_id: tag.tag_id, field })
      return [{ item_id, schema_version: entry.schema_version, values }]
    })
    const merged = mergeEntries(tag.schema, sources, kept.item_id, tag.name)
    for (const { field, from, value } of merged.taken)
      taken.push({ path: field === undefined ? tag.name : `${tag.name}.${field}`, from, value })
    problems.push(...merged.problems)
    entries.push(plannedEntry(tag, byItem.get(kept.id), merged))
  }
  if (problems.length) throw invalid(problems)
  return entries
}

function plannedEntry(
  tag: StoredTag,
  own: { schema_version: number; field_values: string } | undefined,
  { schema_version, values }: { schema_version: number; values: FieldValues },
): PlannedEntry {
  if (!own) return { tag, before: undefined, schema_version, values, changed: true }
  const before = JSON.parse(own.field_values) as FieldValues
  const changed =
    schema_version !== own.schema_version || fieldValueChanges(before, values).fields_changed.length > 0
  return {
    tag,
    before: { schema_version: own.schema_version, values: before },
    schema_version,
    values: changed ? values : before,
    changed,
  }
}
