import { Type } from 'typebox'
import { pageById, PageById } from '#src/operations/page-by-id.ts'
import { EXAMPLE_PROPOSAL, ListedProposal, State } from '#src/operations/proposals/proposal-schemas.ts'
import { ofCaller, proposalAnswer } from '#src/operations/proposals/proposal-answer.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { type ProposalRow, proposalsBefore } from '#src/storage/proposals/proposals.ts'

export const listProposals = defineOperation({
  name: 'listProposals',
  summary: 'List proposals, newest first: what is open, and what became of the others, with the reason.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'GET /api/proposals',
  tool: 'list_proposals',
  paged: true,
  input: Type.Object(
    { state: Type.Optional(State), ...PageById.properties },
    { additionalProperties: false },
  ),
  output: Type.Array(ListedProposal),
  example: { output: [EXAMPLE_PROPOSAL] },
  run: (context, { state, ...page }) =>
    pageById<ProposalRow>(context, page, {
      read: (after, limit) =>
        proposalsBefore(context.db, { state, ...ofCaller(context.caller) }, after, limit),
      idOf: ({ proposal_id }) => proposal_id,
      textOf: (row) => JSON.stringify(proposalAnswer(row)),
    }),
})
