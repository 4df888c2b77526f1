import { checkFieldValues, checkSubFields, type ReferenceUse } from '#src/domain/check-field-values.ts'
import { invalid, MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { type FlatFields, isReference } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { mergeFieldValues } from '#src/domain/merge-field-values.ts'
import { fieldsAbove } from '#src/filter/meaning/bound-field.ts'
import { knownFiles } from '#src/operations/files/known-files.ts'
import { faultsOfNamedFiles } from '#src/operations/files/named-files.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { findTargets, type ReferenceTargets } from '#src/storage/value-index/reference-targets.ts'

/** A tag, or the schema of one that is still to be made. */
type TagOfValues = StoredTag | { schema: FlatFields }

/** Values that a request gives for a tag on an item. */
export interface GivenValues {
  tag: TagOfValues
  given: FieldValues
  /** Where they are in the input. */
  path: string
  /** What the item has for the tag so far. */
  stored?: FieldValues
  /** Keeps what is stored and not given. */
  merge?: boolean
}

export interface AcceptedValues {
  /** What each of the items will have, in the order given. */
  values: FieldValues[]
  /** All that the given values refer to. */
  targets: ReferenceTargets
}

/**
 * `problems` are faults of the same request that were found before.
 * @throws BadRequest with every fault, or the first of very many
 */
export async function acceptValues(
  context: SqlContext,
  all: readonly GivenValues[],
  problems: Problem[] = [],
): Promise<AcceptedValues> {
  const { db } = context
  const references: ReferenceUse[] = []
  const files = await knownFiles(
    context,
    all.map(({ tag, given }) => [tag.schema, given] as const),
  )
  const values: FieldValues[] = []
  for (const { tag, given, path, stored = {}, merge = false } of all) {
    if (problems.length > MAX_PROBLEMS) break
    const { schema } = tag
    const above = 'bases' in tag ? await takenForInherited(context, tag, given) : undefined
    const checked = checkFieldValues(schema, given, { path, stored, merge, files, above })
    const result = merge ? mergeFieldValues(schema, stored, checked.values) : checked.values
    problems.push(...checked.problems, ...checkSubFields(schema, checked.values, result, path))
    references.push(...checked.references)
    values.push(result)
  }
  const textsGiven = () =>
    values.map((result, i) => {
      const { tag, path, stored } = all[i]!
      return { path: `${path}.`, texts: textsOf(tag.schema, result), ...(stored && { stored }) }
    })
  problems.push(...(await faultsOfNamedFiles(context, textsGiven)).flat())
  const targets = await findTargets(
    db,
    references.map(({ item_id }) => item_id),
  )
  problems.push(...missingTargets(references, targets))
  if (problems.length) throw invalid(problems)
  return { values, targets }
}

/** Where values are given for fields that the tag does not have, those of the tags that it extends. */
export async function takenForInherited(
  context: SqlContext,
  { bases, schema, catalog }: StoredTag,
  given: FieldValues,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!bases.length || Object.keys(given).every((name) => schema.has(name))) return undefined
  return fieldsAbove(catalog, tagCatalog(context))
}

/** Of the values of an entry those that may name a file without being one: of a File, files are looked up as they are. */
export const textsOf = (schema: FlatFields, values: FieldValues): FieldValues =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const type = schema.get(name)?.type
      return type !== 'File' && !isReference(type)
    }),
  )

/** References to items that do not exist; one that stood there before may dangle. */
export function missingTargets(references: readonly ReferenceUse[], targets: ReferenceTargets): Problem[] {
  return references.flatMap(({ path, item_id, unchanged }) => {
    const state = targets.get(item_id)?.state
    if (unchanged || state === 'live') return []
    const why = state === 'deleted' ? 'is deleted; restore it first' : 'not found'
    return [{ path, message: `item '${item_id}' ${why}` }]
  })
}
