import { Type } from 'typebox'
import { EXAMPLE_PROPOSAL, Proposal, ProposalId } from '#src/operations/proposals/proposal-schemas.ts'
import { decideProposal } from '#src/operations/proposals/proposal-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const withdrawProposal = defineOperation({
  name: 'withdrawProposal',
  summary: 'Withdraw a proposal of your own, or what is left of it.',
  access: 'user',
  in_part: true,
  every_role: true,
  for_proposers: 'as_ever',
  effect: 'compose',
  rest: 'POST /api/proposals/{proposal_id}/withdraw',
  input: Type.Object({ proposal_id: ProposalId }, { additionalProperties: false }),
  output: Proposal,
  errors: ['NotFound', 'Conflict'],
  example: { output: { ...EXAMPLE_PROPOSAL, state: 'withdrawn', conflicts: [], changes: [] } },
  run: ({ text }, { proposal_id }) => text(decideProposal, { proposal_id, state: 'withdrawn', reason: null }),
})
