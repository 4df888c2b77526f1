import { Reply } from '#src/domain/reply.ts'
import type { Conditional, SqlContext } from '#src/runtime/operation.ts'
import { findTag, findTagById, missingTag, type StoredTag } from '#src/storage/tags/tags.ts'

/** A change that is meant for one state of a tag (additions §5). */
export const tagState: Conditional = {
  async present({ db }, { tag_id }) {
    const tag = await findTagById(db, String(tag_id))
    return tag && JSON.parse(tagReply(tag).json)
  },
}

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

/** A tag as it is answered (decisions §2), as JSON text. */
export function tagJson(tag: StoredTag): string {
  const { tag_id, name, description, fields, schema_version, bases, created_at, updated_at, look } = tag
  const head = JSON.stringify({ tag_id, id: tag_id, name, description })
  const tail = JSON.stringify({
    schema_version,
    extends: bases.map((base) => base.tag_id),
    created_at,
    updated_at,
    ...(tag.deleted_at !== null && { deleted_at: tag.deleted_at }),
  })
  const looks = look === null ? '' : `"look":${look},`
  return `${head.slice(0, -1)},"fields":${fields},${looks}${tail.slice(1)}`
}

export const tagReply = (tag: StoredTag): Reply => new Reply(tagJson(tag))
