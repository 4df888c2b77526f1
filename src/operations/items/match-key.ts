import { checkFieldValues } from '#src/domain/check-field-values.ts'
import { conflict, type Problem } from '#src/domain/errors.ts'
import type { FlatField } from '#src/domain/field-schema.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import { bindFieldReference } from '#src/filter/meaning/bind-filter.ts'
import { noSuchField } from '#src/filter/meaning/bound-field.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { TagToApply } from '#src/operations/schemas/inputs.ts'
import type { Db } from '#src/sql/query.ts'
import { itemHeads, type ItemHead } from '#src/storage/items/items.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findTag, findTagById, type StoredTag } from '#src/storage/tags/tags.ts'

const MAX_NAMED = 20

/** By what an item is recognized (additions §7): its name, or its value in a field. */
export type MatchKey = { by: 'name' } | { by: 'field'; label: string; tag: StoredTag; field: FlatField }

export async function readMatchKey(
  context: SqlContext,
  text: string,
  path: string,
): Promise<MatchKey | Problem> {
  if (text === 'name') return { by: 'name' }
  if (!text.includes('.')) return { path, message: `expected 'name' or '<Tag>.<field>'` }
  const reference = await bindFieldReference(text, path, tagCatalog(context))
  if ('message' in reference) return reference
  const tag = (await findTagById(context.db, reference.tag.tag_id))!
  const field = tag.schema.get(reference.name)
  if (field?.type === 'File')
    return { path, message: `items are not matched by the files of '${tag.name}.${field.name}'` }
  if (field) return { by: 'field', label: `${tag.name}.${field.name}`, tag, field }
  return { path, message: noSuchField(reference) }
}

const labelOf = (key: MatchKey): string => (key.by === 'name' ? 'name' : key.label)

/** The value as it is stored; of a Select the name of a variant will do. `value` is undefined where it is faulty. */
export function readKeyValue(
  key: MatchKey,
  given: unknown,
  path: string,
): { value: unknown; problems: Problem[] } {
  if (given === null || given === undefined)
    return {
      value: undefined,
      problems: [{ path, message: `a value of ${labelOf(key)} to match by is required` }],
    }
  if (key.by === 'name')
    return typeof given === 'string' && given.trim() !== ''
      ? { value: given, problems: [] }
      : { value: undefined, problems: [{ path, message: 'expected a string that is not blank' }] }
  const { name, type } = key.field
  const whole = type === 'Select' && typeof given === 'string' ? { variant: given } : given
  const { problems, values } = checkFieldValues(key.tag.schema, { [name]: whole })
  return problems.length
    ? { value: undefined, problems: problems.map(({ message }) => ({ path, message })) }
    : { value: values[name], problems: [] }
}

/**
 * The one live item that has the value.
 * @throws Conflict where several have it
 */
export async function findByKey(
  context: SqlContext,
  key: MatchKey,
  value: unknown,
): Promise<ItemHead | undefined> {
  const { db } = context
  const operand = chosenVariant(value) ?? value
  const name = key.by === 'name' ? 'name' : `${key.tag.tag_id}.${key.field.name}`
  const { plan } = await readFilter({ [name]: { eq: operand } }, tagCatalog(context))
  const rows = await matchingItems(db, plan)
  const heads = await itemHeads(db, rows.slice(0, MAX_NAMED))
  if (rows.length < 2) return heads[0]
  const shown = `${key.by === 'name' ? 'name' : key.label} ${JSON.stringify(operand).slice(0, 200)}`
  throw conflict(`${rows.length} items have the ${shown}, so none of them is meant`, {
    suggestion: 'Match by a value that only one item has, or change one item by its id',
    details: { item_ids: heads.map(({ item_id }) => item_id) },
  })
}

/** Position of the key's tag among tags that are to be applied; -1 where it is not there. */
export async function positionOfTag(
  db: Db,
  tags: readonly TagToApply[],
  { tag_id }: StoredTag,
): Promise<number> {
  for (const [i, { tag_ref }] of tags.entries())
    if ('Existing' in tag_ref && (await findTag(db, tag_ref.Existing))?.tag_id === tag_id) return i
  return -1
}
