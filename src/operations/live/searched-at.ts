import { goesByTime } from '#src/filter/meaning/lasting-filter.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import { momentId } from '#src/operations/live/live-cursor.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'

/** From where a stream goes on after a search: the newest event, and where relative times count, also the moment. */
export async function searchedAt(
  { db, now }: Pick<SqlContext, 'db' | 'now'>,
  filter: BoundFilter | undefined,
): Promise<string> {
  const event = await newestSeen(db)
  return filter && goesByTime(resolvedFilter(filter)) ? momentId({ event, moment: now.getTime() }) : event
}
