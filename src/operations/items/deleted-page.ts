import type { ReplyMeta } from '#src/domain/reply.ts'
import { type DeletedSearch, positionText } from '#src/operations/items/deleted-query.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import { deletedItemTexts } from '#src/storage/items/item-json.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { countDeleted, firstDeleted } from '#src/storage/trash/find-deleted.ts'

/** Items that are read at once: their descriptions may be long. */
const CHUNK = 50

/** One page of deleted items in their list form, with `deleted_at` and `deleted_by`. */
export async function deletedPage(
  { db, page_text = MAX_PAGE_TEXT }: Pick<SqlContext, 'db' | 'page_text'>,
  { plan, warnings, wanted }: DeletedSearch,
  { limit, count }: { limit: number; count: boolean },
): Promise<{ texts: string[]; meta: ReplyMeta }> {
  const meta: ReplyMeta = warnings.length ? { warnings: [...warnings] } : {}
  if (count) meta.total = await countDeleted(db, plan, wanted)
  if (!limit) return { texts: [], meta }
  const { found, more } = await firstDeleted(db, plan, wanted, limit)
  const texts: string[] = []
  let size = 0
  for (let at = 0; at < found.length && size < page_text; at += CHUNK) {
    const chunk = found.slice(at, at + CHUNK)
    const byId = await deletedItemTexts(
      db,
      chunk.map(({ id }) => id),
    )
    for (const { id, deleted_by } of chunk) {
      if (size >= page_text) break
      const text = `${byId.get(id)!.slice(0, -1)},"deleted_by":${JSON.stringify(deleted_by)}}`
      texts.push(text)
      size += text.length
    }
  }
  if (more || texts.length < found.length) meta.next = positionText(found[texts.length - 1]!)
  return { texts, meta }
}
