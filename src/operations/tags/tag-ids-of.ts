import { conflict } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import {
  findDeletedTag,
  findDeletedTagByName,
  findTagById,
  findTagByName,
  type StoredTag,
} from '#src/storage/tags/tags.ts'

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

/**
 * The same for what cannot be undone: of these deleted tags, and of several with one name none is meant. What is none stays
 * as it was given.
 * @throws Conflict where a name is that of several
 */
export function deletedTagIdsOf(deleted: readonly StoredTag[], given: readonly string[]): string[] {
  const ids = new Set(deleted.map(({ tag_id }) => tag_id))
  const byName = Map.groupBy(deleted, ({ name }) => name)
  return given.map((text) => {
    const id = parseUlid(text)
    if (id !== null && ids.has(id)) return id
    const named = byName.get(text) ?? []
    if (named.length > 1)
      throw conflict(`${named.length} deleted tags are called '${text}'`, {
        suggestion: 'Give the id of the one that is meant',
        details: { tag_ids: named.map(({ tag_id }) => tag_id) },
      })
    return named[0]?.tag_id ?? text
  })
}
