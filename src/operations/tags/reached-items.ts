import { tooManyChanges } from '#src/domain/allowance.ts'
import type { FieldMap, FieldSchema } from '#src/domain/field-schema.ts'
import { sameFieldShape, sameVariant } from '#src/domain/field-shape.ts'
import { hasRenames, type TagRenames } from '#src/domain/tag-renames.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { someTagged } from '#src/storage/items/tagged-items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

interface SchemaChange {
  fields: FieldMap
  renames: TagRenames
  /** It extends other tags than before. */
  extendsOthers: boolean
}

/**
 * For a caller who may change only this many items: those that a change of a tag's schema reaches count as changed
 * (additions §12). One that only adds fields or variants reaches none.
 * @throws BadRequest where they are more
 */
export async function countReached(
  { db, caller: { may_change }, changed }: SqlContext,
  tag: StoredTag,
  { fields, renames, extendsOthers }: SchemaChange,
): Promise<void> {
  if (!may_change || !changed) return
  const reaches =
    hasRenames(renames) || extendsOthers || !keepsAll(JSON.parse(tag.fields) as FieldMap, fields)
  if (!reaches) return
  for (const item_id of await someTagged(db, tag.id, may_change.left + 1)) changed.add(item_id)
  if (changed.size > may_change.left) throw tooManyChanges(may_change)
}

/** Whether every value that fits the one fits the other, and has the same meaning: variants keep their order. */
function keepsAll(before: FieldMap, after: FieldMap): boolean {
  return Object.entries(before).every(([name, schema]) => {
    const now = Object.hasOwn(after, name) ? after[name]! : undefined
    return now !== undefined && (sameFieldShape(schema, now) || onlyAddsVariants(schema, now))
  })
}

function onlyAddsVariants(schema: FieldSchema, now: FieldSchema): boolean {
  if (typeof schema !== 'object' || typeof now !== 'object' || schema.type !== now.type) return false
  if (!('variants' in schema) || !('variants' in now)) return false
  const old: readonly unknown[] = schema.variants
  const kept = now.variants.filter((variant) => old.some((each) => sameVariant(each, variant)))
  return old.length === kept.length && old.every((each, i) => sameVariant(each, kept[i]))
}
