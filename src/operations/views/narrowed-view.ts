import { badRequest, MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { filterError } from '#src/filter/language/filter-fault.ts'
import { checkFilter, type ReadFilter, readFilter } from '#src/filter/meaning/read-filter.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { readableView } from '#src/operations/views/own-view.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

type Filter = Record<string, unknown>
type Read = ReadFilter & { warnings: readonly string[] }

/** A view by which something is asked for. */
export interface AskedView {
  name: string
  filter: Filter
}

/** @throws NotFound for a view that is neither the caller's nor shared */
export async function askedView(
  { db, caller }: Pick<SqlContext, 'db' | 'caller'>,
  view_id: string,
): Promise<AskedView> {
  const { name, filter } = await readableView(db, caller, view_id)
  return { name, filter: JSON.parse(filter) as Filter }
}

/** The filter of a view, narrowed by another where one is given (additions §12). */
export const narrowed = (own: Filter, filter: Filter | undefined): Filter =>
  filter ? { and: [own, filter] } : own

/** Where the two are in what `narrowed` makes of them. */
const OWN = 'filter.and[0]'
const OTHER = 'filter.and[1]'

/**
 * A view's filter, narrowed by another where one is given, ready to be run.
 * @throws BadRequest with the faults of that other, each in its place; without any, for a view that cannot be used any more
 */
export async function readNarrowed(
  { name, filter: own }: AskedView,
  filter: Filter | undefined,
  catalog: TagCatalog,
): Promise<Read> {
  const { faults, ...read } = await checkFilter(narrowed(own, filter), catalog)
  if (read.filter) return read
  const of = filter ? OWN : 'filter'
  const others = filter ? faults.filter(({ path }) => !path.startsWith(OWN)) : []
  if (others.length) throw filterError(others.map((each) => movedTo('filter', OTHER, each)))
  throw brokenView(
    name,
    faults.map((each) => movedTo('view.filter', of, each)),
  )
}

const movedTo = <Fault extends Problem>(place: string, from: string, fault: Fault): Fault => ({
  ...fault,
  path: fault.path.startsWith(from) ? place + fault.path.slice(from.length) : fault.path,
})

/** A filter that was right when the view was saved can name a tag that has been deleted since. */
export const brokenView = (name: string, faults: readonly Problem[]) =>
  badRequest(`The filter of the view '${name}' cannot be used any more: ${faults[0]?.message}`, {
    suggestion: 'Leave out view_id, or give the view another filter',
    details: { errors: faults.slice(0, MAX_PROBLEMS) },
  })

/** What is asked for by a filter, a view, or both; undefined: by neither. @throws NotFound, BadRequest */
export async function readAsked(
  context: SqlContext,
  filter: Filter | undefined,
  view_id: string | undefined,
): Promise<Read | undefined> {
  const catalog = tagCatalog(context)
  if (view_id === undefined) return filter && readFilter(filter, catalog)
  return readNarrowed(await askedView(context, view_id), filter, catalog)
}
