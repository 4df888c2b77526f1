import type { ReplyMeta } from '#src/domain/reply.ts'
import { type DeletedSearch, positionText } from '#src/operations/items/deleted-query.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { deletedItemTexts } from '#src/storage/items/item-json.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { chunkFor, noteSize } from '#src/storage/items/text-chunk.ts'
import { countDeleted, firstDeleted } from '#src/storage/trash/find-deleted.ts'

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
  while (texts.length < found.length && size < page_text) {
    const chunk = found.slice(texts.length, texts.length + chunkFor(db, page_text - size))
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
    noteSize(db, texts.length, size)
  }
  if (more || texts.length < found.length) meta.next = positionText(found[texts.length - 1]!)
  return { texts, meta }
}
