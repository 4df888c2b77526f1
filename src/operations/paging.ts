import { Type, type Static } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { After, Limit, MAX_ID } from '#src/operations/schemas/inputs.ts'

/**
 * How lists come in pages. An operation with `paged: true` takes `limit` and `after` and answers one page: a JSON
 * array, with `meta.next` when more follows. A page may hold fewer elements than `limit` and still have a `next`
 * (it ends early when its text grows large); only a page without `next` is the last. `count: true` sets
 * `meta.total`, and `meta.warnings` are the same on every page.
 *
 * Without `limit` an operation answers all in one page, unless it is a search: that would be a page without end, so an
 * interface never calls a search without `limit`. HTTP streams `allPages`, a tool asks for `TOOL_PAGE`.
 */
export interface PageInput {
  limit?: number
  after?: string
  count?: boolean
  skip?: number
}

/**
 * Elements that the HTTP interface asks for at once when it streams a list that was asked for without `limit`. Pages of
 * 100 cost a third more processor time; pages of 1,000 save none.
 */
export const STREAM_PAGE = 500

/** Characters after which such a page ends early: what waits for a slow reader stays small. */
export const STREAM_TEXT = 256 * 1024

/** What a tool gets without `limit`. */
export const TOOL_PAGE = 100

/** In what order a tool gets items and tags without `sort`. */
export const NEWEST_FIRST = [{ by: 'created_at', direction: 'desc' as const }]

/**
 * All pages of a list, one call after the other; the first one carries the total and the warnings. From the second on,
 * a page is read while the one before goes out.
 */
export async function* allPages<Input extends PageInput>(
  call: (input: Input) => Promise<Reply>,
  input: Input,
): AsyncGenerator<Reply, void> {
  // The input is as it came: a null stands for what is not given.
  if ((input.skip ?? null) !== null)
    checkPage({ ...input, limit: undefined, after: input.after ?? undefined })
  const first = await call({ ...input, limit: STREAM_PAGE })
  yield first
  const { count: _, ...rest } = input
  const pageAfter = ({ meta }: Reply): Promise<Reply> | undefined => {
    if (meta?.next === undefined) return undefined
    const page = call({ ...(rest as Input), limit: STREAM_PAGE, after: meta.next })
    page.catch(() => {}) // heard by the one that asks for it; nobody may
    return page
  }
  for (let coming = pageAfter(first); coming;) {
    const page = await coming
    coming = pageAfter(page)
    yield page
  }
}

/** At most this many keys decide the order. */
const MAX_SORT_KEYS = 4

const Direction = Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
  description: 'Default asc. What has no value comes last either way',
})

export const SortKey = Type.Object(
  {
    by: Type.String({
      minLength: 1,
      maxLength: MAX_ID,
      description:
        'created_at, updated_at, name, <Tag>.<field> (a Select sorts by the position of its variant), or relevance to the searches of the filter, best first in either direction',
      inTools: 'created_at, updated_at, name, <Tag>.<field> (a Select by its order), relevance',
    }),
    direction: Type.Optional(Direction),
  },
  { additionalProperties: false },
)
export type SortKey = Static<typeof SortKey>

export const Sort = Type.Array(SortKey, {
  maxItems: MAX_SORT_KEYS,
  description:
    'Keys in order of weight; ties go by id, in the direction of the last key. Without it: oldest first',
  inTools: 'Keys in order of weight; ties go by id, in the direction of the last key',
  examples: [[{ by: 'Task.priority', direction: 'desc' }, { by: 'name' }]],
})

export const Count = Type.Boolean({
  description: 'Also count all matches (header X-Total-Count); default false',
  inTools: 'Also count all matches (total, beside the answer)',
})

export const Expand = Type.Boolean({
  description: 'Also `references`: {item_id: {name, deleted}} of all that an item refers to; default false',
})

export const Snippets = Type.Boolean({
  description:
    'Also `snippet` of each item: {text, marks: [[from, to], …], place}, up to 240 characters around what the searches met; default false',
})

/** Fields that a list gives of each element at most. */
export const MAX_FIELDS = 100

/** Names of properties, or paths: names of 200 characters, five hops. */
export const ItemFields = Type.Array(Type.String({ minLength: 1, maxLength: 2500 }), {
  maxItems: MAX_FIELDS,
  description:
    'Only these properties of each item, and values: "name", "Task.due", "Task.assignee->name" (null where there is nothing)',
})

/** Of tools that write items (further §18). */
export const ReturnFields = Type.Array(Type.String({ minLength: 1, maxLength: 2500 }), {
  maxItems: MAX_FIELDS,
  description:
    'The answer is, of each item, its item_id and these fields as they are then, as `fields` of a search names them',
  inTools: 'Answer these, e.g. Task.due',
})

const MAX_SKIP = 1_000_000

const Skip = Type.Integer({
  minimum: 0,
  maximum: MAX_SKIP,
  description: 'Leaves out this many first, instead of after; goes with limit',
})

/** @throws BadRequest where what says which page is wanted does not go together */
export function checkPage({ limit, after, skip, count = false }: PageInput): void {
  const problems: Problem[] = []
  if (skip !== undefined && limit === undefined)
    problems.push({ path: 'skip', message: 'goes with limit, which is not given' })
  if (skip !== undefined && after !== undefined)
    problems.push({ path: 'skip', message: 'takes the place of after; give one of them' })
  if (limit === 0 && !count)
    problems.push({ path: 'limit', message: 'must be at least 1 (0 goes with "count": true)' })
  if (problems.length) throw invalid(problems)
}

/** The properties that every search takes besides its filter. */
export const pageInput = {
  limit: Type.Optional(
    Type.Unsafe<number>({
      ...Limit,
      minimum: 0,
      description: 'At most this many; without it, all; 0 with count only counts',
    }),
  ),
  skip: Type.Optional(Skip),
  after: Type.Optional(After),
  sort: Type.Optional(Sort),
  count: Type.Optional(Count),
}
