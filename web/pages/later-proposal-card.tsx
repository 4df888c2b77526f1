import { loaded } from '#web/parts/loaded.tsx'

/** A proposal in a conversation, loaded with the first one that is made. */
export const LaterProposalCard = loaded<{ proposal_id: string }>(async () => {
  const [{ ProposalCard }, { ValueChange }] = await Promise.all([
    import('#web/proposal/proposal-card.tsx'),
    import('#web/history/value-change.tsx'),
  ])
  return ({ proposal_id }) => (
    <ProposalCard proposal_id={proposal_id} renderChange={(change) => <ValueChange change={change} />} />
  )
})
