import { Type } from 'typebox'
import { EXAMPLE_PROPOSAL, Proposal, ProposalId } from '#src/operations/proposals/proposal-schemas.ts'
import { decideProposal } from '#src/operations/proposals/proposal-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

const MAX_REASON = 10_000

export const refuseProposal = defineOperation({
  name: 'refuseProposal',
  summary: 'Refuse a proposal, or what is left of it; who proposed it reads the reason.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'compose',
  rest: 'POST /api/proposals/{proposal_id}/refuse',
  input: Type.Object(
    {
      proposal_id: ProposalId,
      reason: Type.Optional(Type.Union([Type.String({ maxLength: MAX_REASON }), Type.Null()])),
    },
    { additionalProperties: false },
  ),
  output: Proposal,
  errors: ['NotFound', 'Conflict'],
  example: {
    input: { reason: 'It was not paid yet' },
    output: {
      ...EXAMPLE_PROPOSAL,
      state: 'refused',
      reason: 'It was not paid yet',
      conflicts: [],
      changes: [],
    },
  },
  run: ({ text }, { proposal_id, reason = null }) =>
    text(decideProposal, { proposal_id, state: 'refused', reason }),
})
