import { ProposalList } from '#web/proposal/proposal-list.tsx'

/** What waits for a decision, and what became of the rest. */
export function ProposalsPage() {
  return <ProposalList />
}
