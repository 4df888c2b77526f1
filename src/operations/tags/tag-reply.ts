import { Reply } from '#src/domain/reply.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

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
