import { goesByTime } from '#src/filter/meaning/lasting-filter.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import { momentId } from '#src/operations/live/live-cursor.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { filterChangeAt } from '#src/storage/views/view-filters.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'

/** From where a stream goes on after a search: the newest event, and where relative times count, also the moment. What a view
 * showed by a filter that no event has come after says which one. */
export async function searchedAt(
  { db, now }: Pick<SqlContext, 'db' | 'now'>,
  filter: BoundFilter | undefined,
  view_id: Ulid | undefined,
): Promise<string> {
  const event = await newestSeen(db)
  const version = view_id === undefined ? undefined : await filterChangeAt(db, view_id, event)
  const isMoment = version !== undefined || (filter && goesByTime(resolvedFilter(filter)))
  return isMoment ? momentId({ event, moment: now.getTime(), version }) : event
}
