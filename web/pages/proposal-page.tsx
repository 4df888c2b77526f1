import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { proposalQuery } from '#web/data/proposals-query.ts'
import { ValueChange } from '#web/history/value-change.tsx'
import { NotShown } from '#web/parts/not-shown.tsx'
import { ProposalView } from '#web/proposal/proposal-view.tsx'
import { plainName } from '#web/rules/plain-name.ts'

/** One proposal. */
export function ProposalPage() {
  const proposal_id = useParams<{ id: string }>().id.toUpperCase()
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(proposalQuery(proposal_id))
  const proposal = data?.pages[0]?.data
  useEffect(() => {
    if (proposal) document.title = `${plainName(proposal.summary)} · Facet`
  }, [proposal])
  if (isPending) return null
  if (!proposal)
    return (
      <NotShown what="proposal" error={error} onAgain={() => void refetch()}>
        <Link href="/proposals">All proposals</Link>
      </NotShown>
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
