import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getProposal, listProposals } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type ListedProposal = OutputOf<typeof listProposals>[number]
export type ProposalState = NonNullable<ListedProposal['state']>
export type Proposal = OutputOf<typeof getProposal>
export type ProposalPages = InfiniteData<{ data: Proposal; next?: string | undefined }>
export type ProposedChange = Proposal['changes'][number]

const PAGE = 50
/** Of what one would change. */
const PAGE_OF_CHANGES = 200
/** More are not counted. */
export const MOST_COUNTED = 100
/** Milliseconds between polls of how many wait. */
const LOOK = 60_000

/** Proposals, newest first, page by page; null: in whatever state. */
export const proposalsQuery = (state: ProposalState | null) =>
  infiniteQueryOptions({
    queryKey: ['proposals', 'list', state],
    queryFn: ({ signal, pageParam }) =>
      call(
        listProposals,
        { ...(state && { state }), limit: PAGE, ...(pageParam !== undefined && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

/** How many wait for somebody to decide, up to the most that are counted, and one more where there are more. */
export const openProposalsQuery = queryOptions({
  queryKey: ['proposals', 'open'],
  queryFn: async ({ signal }) => {
    const { data, next } = await call(listProposals, { state: 'open', limit: MOST_COUNTED }, { signal })
    return data.length + (next === undefined ? 0 : 1)
  },
  refetchInterval: LOOK,
})

/** On the first page. */
const NEWEST = 3

/** The newest that wait for somebody to decide. */
export const newestOpenQuery = queryOptions({
  queryKey: ['proposals', 'newest'],
  queryFn: async ({ signal }) =>
    (await call(listProposals, { state: 'open', limit: NEWEST }, { signal })).data,
  staleTime: 0,
})

/** One proposal; what it would change comes page by page, the rest of it with each. */
export const proposalQuery = (proposal_id: string) =>
  infiniteQueryOptions({
    queryKey: ['proposals', 'one', proposal_id],
    queryFn: ({ signal, pageParam }) =>
      call(
        getProposal,
        { proposal_id, limit: PAGE_OF_CHANGES, ...(pageParam !== undefined && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
