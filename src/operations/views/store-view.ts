import { conflict } from '#src/domain/errors.ts'
import { jsonUpTo, MAX_KEPT_FILTER } from '#src/domain/up-to.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { type ViewRow, viewsOf } from '#src/storage/views/views.ts'

/** An account has at most this many (additions §1). */
const MAX_VIEWS = 1000
/** Of their filters: all that name a tag are written again when one of its fields is renamed, and others wait for it. */
const MAX_BYTES = 8 * 2 ** 20

const DELETE_ONE = { suggestion: 'Delete one with DELETE /api/views/{view_id} (delete_view)' }

/** @throws Conflict where the account has no room for the view as it is to be */
export async function checkRoom(db: Db, view: ViewRow): Promise<void> {
  const { count, bytes } = await viewsOf(db, view)
  if (count >= MAX_VIEWS) throw conflict(`An account has at most ${MAX_VIEWS} views`, DELETE_ONE)
  if (bytes + Buffer.byteLength(view.filter) > MAX_BYTES)
    throw conflict(`The filters of an account's views take at most ${MAX_BYTES} bytes together`, DELETE_ONE)
}

/**
 * A view's filter as it is stored, and what can never match in it.
 * @throws BadRequest with every fault
 */
export async function storedFilter(
  context: SqlContext,
  given: unknown,
): Promise<{ filter: string; warnings: readonly string[] }> {
  const { filter, warnings } = await readFilter(given, tagCatalog(context))
  return { filter: jsonUpTo(resolvedFilter(filter), 'filter', MAX_KEPT_FILTER), warnings }
}
