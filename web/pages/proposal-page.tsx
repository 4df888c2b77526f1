import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { proposalQuery } from '#web/data/proposals-query.ts'
import { ValueChange } from '#web/history/value-change.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { ProposalView } from '#web/proposal/proposal-view.tsx'
import { plainName } from '#web/rules/plain-name.ts'

/** One proposal. */
export function ProposalPage() {
  const proposal_id = useParams<{ id: string }>().id.toUpperCase()
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    proposalQuery(proposal_id),
  )
  const proposal = data?.pages[0]?.data
  useEffect(() => {
    if (proposal) document.title = `${plainName(proposal.summary)} · Facet`
  }, [proposal])
  if (isPending) return null
  if (!proposal)
    return (
      <EmptyState whole icon="search" title="There is no such proposal">
        <p>{error?.message ?? 'Its address may be mistyped.'}</p>
        <Link href="/proposals">All proposals</Link>
      </EmptyState>
    )
  return (
    <ProposalView
      key={proposal_id}
      proposal={proposal}
      changes={data.pages.flatMap((page) => page.data.changes)}
      onMore={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
      renderChange={(change) => <ValueChange change={change} />}
    />
  )
}
