import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { findDeletedTag, findDeletedTagByName, findTagById, findTagByName } from '#src/storage/tags/tags.ts'

/**
 * Ids of tags that are given by id or by name (additions §12), for what asks of the past: an id wins, then a live tag,
 * then of the deleted ones with that name the one that was deleted last. What is neither is left out, and `onUnknown`
 * hears of it.
 */
export async function tagIdsOf(
  db: Db,
  given: readonly string[],
  onUnknown: (i: number) => void = () => {},
): Promise<Ulid[]> {
  const ids: Ulid[] = []
  for (const [i, text] of given.entries()) {
    const id = parseUlid(text)
    const isKnown = id !== null && ((await findTagById(db, id)) ?? (await findDeletedTag(db, id)))
    const named = isKnown
      ? undefined
      : ((await findTagByName(db, text)) ?? (await findDeletedTagByName(db, text)))
    // The log goes on naming a tag that is purged.
    const meant = named?.tag_id ?? id
    if (meant === null) onUnknown(i)
    else ids.push(meant)
  }
  return ids
}

/** As `tagIdsOf`, of deleted tags alone; what is none stays as it was given. */
export async function deletedTagIdsOf(db: Db, given: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const text of given) {
    const tag = (await findDeletedTag(db, text)) ?? (await findDeletedTagByName(db, text))
    ids.push(tag?.tag_id ?? text)
  }
  return ids
}
