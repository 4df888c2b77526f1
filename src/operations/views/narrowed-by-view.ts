import type { SqlContext } from '#src/runtime/operation.ts'
import { readableView } from '#src/operations/views/own-view.ts'

type Filter = Record<string, unknown>
type Reader = Pick<SqlContext, 'db' | 'caller'>

/** @throws NotFound for a view that is neither the caller's nor shared */
export async function filterOfView({ db, caller }: Reader, view_id: string): Promise<Filter> {
  const view = await readableView(db, caller, view_id)
  return JSON.parse(view.filter) as Filter
}

/** The filter of a view, narrowed by another where one is given (additions §12). */
export const narrowed = (own: Filter, filter: Filter | undefined): Filter =>
  filter ? { and: [own, filter] } : own

/** The same of a view by its id. */
export const narrowedByView = async (
  reader: Reader,
  view_id: string,
  filter: Filter | undefined,
): Promise<Filter> => narrowed(await filterOfView(reader, view_id), filter)
