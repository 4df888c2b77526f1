import type { SqlContext } from '#src/runtime/operation.ts'
import { findTag, findTagById, missingTag, type StoredTag } from '#src/storage/tags/tags.ts'

/**
 * The live tag that a call names: by id, and through a tool or in a body by name too (additions §12); in a path a name
 * is none.
 * @throws NotFound
 */
export async function tagOfCall(
  { db, caller, in_body = false }: Pick<SqlContext, 'db' | 'caller' | 'in_body'>,
  given: string,
): Promise<StoredTag> {
  const find = caller.source === 'rest' && !in_body ? findTagById : findTag
  const tag = await find(db, given)
  if (!tag) throw await missingTag(db, given)
  return tag
}
