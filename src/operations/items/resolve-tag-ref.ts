import { ServiceError, type Problem } from '#src/domain/errors.ts'
import { flattenFields, type FieldMap, type FlatFields } from '#src/domain/field-schema.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { NewTag, TagRef } from '#src/operations/schemas/inputs.ts'
import { addNewTag } from '#src/operations/tags/add-new-tag.ts'
import { checkNewTag, nameTaken } from '#src/operations/tags/check-new-tag.ts'
import type { ReservedTag } from '#src/storage/tags/insert-tag.ts'
import { findTag, findTagByName, missingTag, type StoredTag } from '#src/storage/tags/tags.ts'

/** What a `tag_ref` names, before anything is written. */
export type ReferredTag = { tag: StoredTag } | { toAdd: NewTag }

/**
 * Undefined where the new tag has faults: they are added to `problems`.
 * @throws NotFound where there is no such tag, Conflict where the new one's name is in use
 */
export async function readTagRef(
  { db, change }: Pick<SqlContext, 'db' | 'change'>,
  ref: TagRef,
  path: string,
  problems: Problem[],
): Promise<ReferredTag | undefined> {
  if ('Existing' in ref) {
    const tag = await findTag(db, ref.Existing)
    if (!tag) throw at(`${path}.Existing`, await missingTag(db, ref.Existing))
    return { tag }
  }
  const found = await checkNewTag(db, ref.New, `${path}.New`)
  if (found.length) {
    problems.push(...found)
    return undefined
  }
  if (await findTagByName(db, ref.New.name))
    throw at(`${path}.New.name`, await nameTaken(db, ref.New.name, change))
  return { toAdd: ref.New }
}

/** As `readTagRef`; a new tag is created. */
export async function resolveTagRef(
  context: SqlContext,
  ref: TagRef,
  path: string,
  problems: Problem[],
): Promise<StoredTag | undefined> {
  const referred = await readTagRef(context, ref, path, problems)
  return referred && storedTag(context, referred)
}

/** `reserved`: the ids that a new one gets. */
export const storedTag = async (
  context: SqlContext,
  referred: ReferredTag,
  reserved?: ReservedTag,
): Promise<StoredTag> => ('tag' in referred ? referred.tag : addNewTag(context, referred.toAdd, reserved))

export const schemaOf = (referred: ReferredTag): FlatFields =>
  'tag' in referred ? referred.tag.schema : flattenFields(referred.toAdd.fields as FieldMap)

/** The error with the place that it speaks of: a request can hold thousands of tags. */
const at = (path: string, { code, message, suggestion, details }: ServiceError) =>
  new ServiceError(code, message, {
    ...(suggestion !== undefined && { suggestion }),
    details: { ...details, errors: [{ path, message }] },
  })
