import { conflict, type ServiceError } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import { findTagByName } from '#src/storage/tags/tags.ts'

/** The 409 for a tag name that is in use. */
export async function nameTaken(db: Db, name: string): Promise<ServiceError> {
  const holder = await findTagByName(db, name)
  return conflict(`A tag named '${name}' exists already`, {
    suggestion: `Use that tag${holder ? ` (${holder.tag_id})` : ''}, or choose another name`,
    ...(holder && { details: { tag_id: holder.tag_id } }),
  })
}
