import { Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import { counted } from '#src/domain/message-words.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { type ReadFilter, readFilter } from '#src/filter/meaning/read-filter.ts'
import { askedView, readNarrowed } from '#src/operations/views/narrowed-view.ts'
import { laterNames, viewFilterThen, withLaterFields } from '#src/operations/views/view-filter-then.ts'
import { GivenTime } from '#src/operations/schemas/inputs.ts'
import { FIRST_EVENT } from '#src/storage/live/log-window.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { type Corrected, type Corrections, correctWords } from '#src/storage/words/stands-for.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { cutAt } from '#src/storage/past/events-since.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'
import { withPastBase } from '#src/storage/past/past-bases.ts'
import { findRowIds } from '#src/storage/value-index/reference-targets.ts'

type Filter = Record<string, unknown>

export const AsOf = Type.Optional(GivenTime('The base as it was then, that millisecond included'))

/** The base that a read is asked of: as it is, or as it was at a moment (further §20). */
export interface AskedBase {
  readonly context: SqlContext
  /** Where names are looked up: that of then has those of then. */
  readonly catalog: TagCatalog
  /** Undefined where the base is as it was. */
  readonly past: PastBase | undefined
  /** There was no base yet. */
  readonly nothing: boolean
  /** The newest event of then; undefined where the base is as it is. */
  readonly head: Ulid | undefined
  /** When that was, at the latest now. */
  readonly moment: number
  readonly warnings: readonly string[]
}

/**
 * Does what is asked of the base, with `as_of` of the base at that moment: in the future that is the present one.
 * @param parts that of then is not whole yet: the work takes what it needs of it
 */
export async function withBaseAt<T>(
  given: SqlContext,
  as_of: string | undefined,
  work: (asked: AskedBase) => Promise<T>,
  { parts = false } = {},
): Promise<T> {
  const asked = (context: SqlContext, head?: Ulid, nothing = false): AskedBase => ({
    context,
    catalog: tagCatalog(context),
    past: undefined,
    nothing,
    head,
    moment: Math.min(context.now.getTime(), given.now.getTime()),
    warnings: [],
  })
  if (as_of === undefined) return work(asked(given))
  const { db } = given
  const time = Math.max(momentOf(as_of), 0)
  const context = { ...given, now: new Date(time) }
  const cut = await cutAt(db, time)
  if (!cut.since) return work(asked(context))
  const { head = FIRST_EVENT } = cut
  if (cut.head === undefined && !cut.late.size) return work(asked(context, head, true))
  return withPastBase(db, cut, async (past) => {
    if (!parts) await past.whole(db)
    return work({
      context,
      catalog: pastCatalog(db, past, context),
      past,
      nothing: false,
      head,
      moment: time,
      warnings: lossesOf(past),
    })
  })
}

/** A filter, narrowing that of a view, read by the names of then; of a view by those that it would have had. */
export async function readFilterAt(
  { context, catalog, past }: AskedBase,
  filter: Filter | undefined,
  view_id: string | undefined,
): Promise<(ReadFilter & { warnings: readonly string[] }) | undefined> {
  if (view_id === undefined) return filter && readFilter(filter, catalog)
  const view = await askedView(context, view_id)
  if (!past) return readNarrowed(view, filter, catalog)
  const lenient = withLaterFields(context.db, catalog)
  const then = { name: view.name, filter: viewFilterThen(view.filter, past) }
  const read = await readNarrowed(then, filter, lenient)
  return { ...read, warnings: [...laterNames(read.filter), ...read.warnings] }
}

/** Words that nobody has are corrected in what is asked of the present base; on a page behind another, as on that one. */
export async function planned(
  { context, past, nothing }: AskedBase,
  read: Pick<ReadFilter, 'plan'> | undefined,
  before?: Corrections,
): Promise<Corrected> {
  const plan: FilterPlan = read?.plan ?? { kind: 'always' }
  return !read || past || nothing
    ? { plan, corrections: [], warnings: [] }
    : correctWords(context.db, plan, before)
}

/** What is asked of a base that was not there is true of nothing. */
export const planAt = ({ nothing }: AskedBase, plan: FilterPlan): FilterPlan =>
  nothing ? { kind: 'never' } : plan

function momentOf(text: string): number {
  const time = parseIsoTime(text)
  if (time) return time.floor
  throw invalid([{ path: 'as_of', message: 'expected an ISO 8601 date or date-time' }])
}

const pastCatalog = (db: Db, past: PastBase, { now, time_zone }: SqlContext): TagCatalog => ({
  ...tagCatalog({ db: past.db, now, time_zone }),
  itemRowIds: (item_ids) => findRowIds(db, item_ids),
})

function lossesOf({ losses: { purged, redacted } }: PastBase): string[] {
  const said: string[] = []
  if (purged)
    said.push(`${counted(purged, 'item')} lived then and ${purged === 1 ? 'has' : 'have'} been purged since`)
  if (redacted)
    said.push(`${counted(redacted, 'item')} ${redacted === 1 ? 'has' : 'have'} been redacted from the log`)
  return said.map((each) => `${each}: left out`)
}
