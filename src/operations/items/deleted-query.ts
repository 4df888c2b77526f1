import { Type, type Static } from 'typebox'
import { badRequest, invalid } from '#src/domain/errors.ts'
import { comparedTime, parseIsoTime } from '#src/domain/iso-time.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { canonicalId, parseUlid } from '#src/domain/ulid.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { UnknownWords } from '#src/operations/audit/unknown-words.ts'
import { Count, pageInput } from '#src/operations/paging.ts'
import { After, GivenTime, Id, SearchText, TagIdOrName, TimeZone } from '#src/operations/schemas/inputs.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findTag, missingTag } from '#src/storage/tags/tags.ts'
import type { DeletedPosition, DeletedQuery } from '#src/storage/trash/deleted-rows.ts'

export const DeletedFilter = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'A filter of the items as they were',
})

/** What says which deleted items are meant (additions §11). */
export const deletedConditions = {
  filter: Type.Optional(DeletedFilter),
  search: Type.Optional(SearchText),
  tag_id: Type.Optional(TagIdOrName),
  deleted_by: Type.Optional(Id('Deleted by this account')),
  deleted_after: Type.Optional(GivenTime('Deleted after this time')),
  deleted_before: Type.Optional(GivenTime('Deleted before this time')),
  change_id: Type.Optional(Id('Deleted by this change')),
}

export const deletedInput = {
  ...deletedConditions,
  time_zone: Type.Optional(TimeZone),
  limit: pageInput.limit,
  after: Type.Optional(After),
  count: Type.Optional(Count),
}
const Input = Type.Object(deletedInput)

export type DeletedConditions = Pick<Static<typeof Input>, keyof typeof deletedConditions>

export interface DeletedSearch {
  plan: FilterPlan
  warnings: readonly string[]
  wanted: DeletedQuery
}

/** @throws BadRequest with every fault of the filter, NotFound for an unknown tag */
export async function readDeletedQuery(
  context: SqlContext,
  { filter, search, tag_id, deleted_by, change_id, after, ...times }: Static<typeof Input>,
): Promise<DeletedSearch> {
  const { plan, warnings } = await deletedPlan(context, filter, search)
  const since = timeIn(times, 'deleted_after')
  const until = timeIn(times, 'deleted_before')
  const tag = tag_id === undefined ? undefined : await findTag(context.db, tag_id)
  if (tag_id !== undefined && !tag) throw await missingTag(context.db, tag_id)
  const unknown = new UnknownWords()
  unknown.checkId('deleted_by', deleted_by, 'account')
  unknown.checkId('change_id', change_id, 'change')
  const wanted: DeletedQuery = {
    tag: tag?.id,
    deleted_by: deleted_by === undefined ? undefined : canonicalId(deleted_by),
    change_id: change_id === undefined ? undefined : canonicalId(change_id),
    deleted_after: since && comparedTime(since.floor),
    deleted_before: until && comparedTime(until.ceil),
    after: after === undefined ? undefined : readPosition(after),
  }
  return { plan, warnings: [...warnings, ...unknown.warnings], wanted }
}

function timeIn<Name extends 'deleted_after' | 'deleted_before'>(
  given: { [name in Name]?: string },
  name: Name,
) {
  const text = given[name]
  const time = text === undefined ? undefined : parseIsoTime(text)
  if (time === null) throw invalid([{ path: name, message: 'expected an ISO 8601 date or date-time' }])
  return time
}

async function deletedPlan(
  context: SqlContext,
  filter: unknown,
  search = '',
): Promise<{ plan: FilterPlan; warnings: readonly string[] }> {
  const read = filter === undefined ? undefined : await readFilter(filter, tagCatalog(context))
  const text = foldForSearch(search)
  const children: FilterPlan[] = [
    ...(read ? [read.plan] : []),
    ...(text ? [{ kind: 'search', text } as const] : []),
  ]
  const plan: FilterPlan =
    children.length > 1 ? { kind: 'and', children } : (children[0] ?? { kind: 'always' })
  return { plan, warnings: read?.warnings ?? [] }
}

export const positionText = ({ deleted_at, item_id }: DeletedPosition): string => `${deleted_at}.${item_id}`

function readPosition(text: string): DeletedPosition {
  const [, deleted_at = '', id = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z)\.(\w+)$/.exec(text) ?? []
  const item_id = parseUlid(id)
  if (item_id === null)
    throw badRequest('after: not a cursor of this list', { suggestion: 'Take X-Next-Cursor as it came' })
  return { deleted_at, item_id }
}
