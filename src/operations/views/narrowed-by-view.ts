import type { SqlContext } from '#src/runtime/operation.ts'
import { readableView } from '#src/operations/views/own-view.ts'

type Filter = Record<string, unknown>

/**
 * The filter of a view, narrowed by another where one is given (additions §12).
 * @throws NotFound for a view that is neither the caller's nor shared
 */
export async function narrowedByView(
  { db, caller }: Pick<SqlContext, 'db' | 'caller'>,
  view_id: string,
  filter: Filter | undefined,
): Promise<Filter> {
  const view = await readableView(db, caller, view_id)
  const own = JSON.parse(view.filter) as Filter
  return filter ? { and: [own, filter] } : own
}
