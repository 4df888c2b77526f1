import { convertValues, idsIn } from '#src/domain/convert-value.ts'
import { type FieldChange, fieldChanges } from '#src/domain/field-changes.ts'
import { flattenFields } from '#src/domain/field-schema.ts'
import { type FieldValues, valueOf } from '#src/domain/field-values.ts'
import { checkNamesAreFree } from '#src/domain/name-obstacle.ts'
import { hasRenames, renameInValues } from '#src/domain/tag-renames.ts'
import type { TagChange } from '#src/operations/tags/plan-tag-change.ts'
import type { Db } from '#src/sql/query.ts'
import { pagesOfTaggedItems } from '#src/storage/items/tagged-items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

const MAX_SAMPLES = 5

interface FieldPreview {
  field: string
  change: FieldChange['change']
  renamed_from?: string
  with_value: number
  fitting: number
  not_fitting: number
  samples: { item_id: string; name: string; value: unknown }[]
}

/**
 * Field by field, how many values the change finds and how many of them it fits.
 * @throws BadRequest where a renamed value would take the place of another
 */
export async function previewFields(db: Db, tag: StoredTag, change: TagChange): Promise<FieldPreview[]> {
  const schema = flattenFields(change.fields)
  const tallies = fieldChanges(tag.schema, schema, change.renames).map((each) => new FieldTally(each))
  if (!hasRenames(change.renames) && tallies.every(({ preview }) => preview.change === 'added'))
    return tallies.map(({ preview }) => preview)
  for await (const page of pagesOfTaggedItems(db, tag.id)) {
    const entries = page.map((row) => ({ row, given: JSON.parse(row.field_values) as FieldValues }))
    for (const { row, given } of entries) checkNamesAreFree(row, given, change.renames)
    const live = entries.filter(({ row }) => row.deleted_at === null)
    const rows = live.map(({ row }) => row)
    const values = live.map(({ given }) => renameInValues(given, change.renames))
    const targets = await findTargets(db, new Set(values.flatMap((each) => [...idsIn(each)])))
    for (const [i, row] of rows.entries()) {
      const { unfitting } = convertValues(schema, values[i]!, (item_id) => targets.has(item_id))
      for (const tally of tallies) tally.count(row, values[i]!, unfitting)
    }
  }
  return tallies.map((tally) => tally.finish())
}

class FieldTally {
  readonly preview: FieldPreview
  private readonly fitting: FieldPreview['samples'] = []

  constructor({ field, change, before }: FieldChange) {
    const renamed_from = before && before.name !== field ? before.name : undefined
    this.preview = {
      field,
      change,
      ...(renamed_from !== undefined && { renamed_from }),
      with_value: 0,
      fitting: 0,
      not_fitting: 0,
      samples: [],
    }
  }

  /** `values` under their new names. */
  count(
    { item_id, name }: { item_id: string; name: string },
    values: FieldValues,
    unfitting: readonly string[],
  ) {
    const { preview } = this
    const value = preview.change === 'added' ? null : valueOf(values, preview.field)
    if (value === null) return
    preview.with_value++
    const fits = !unfitting.includes(preview.field)
    preview[fits ? 'fitting' : 'not_fitting']++
    const samples = fits ? this.fitting : preview.samples
    if (samples.length < MAX_SAMPLES) samples.push({ item_id, name, value })
  }

  finish(): FieldPreview {
    const { preview } = this
    return preview.not_fitting ? preview : { ...preview, samples: this.fitting }
  }
}
