import { Type } from 'typebox'
import { noCursor } from '#src/operations/page-by-id.ts'
import { proposalReply, readableProposal } from '#src/operations/proposals/proposal-answer.ts'
import { EXAMPLE_PROPOSAL, Proposal, ProposalId } from '#src/operations/proposals/proposal-schemas.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { defineOperation } from '#src/runtime/operation.ts'

const CURSOR = /^\d{1,9}$/

export const getProposal = defineOperation({
  name: 'getProposal',
  summary: 'Read a proposal: what it would change, item by item, and what has moved since.',
  description:
    'While it is open, `changes` is what is still to be decided. A tag is named under `tag_id`. What would be made has ' +
    'placeholders for ids; `made` says what they became.',
  access: 'user',
  in_part: true,
  effect: 'read',
  long: true,
  rest: 'GET /api/proposals/{proposal_id}',
  input: Type.Object(
    { proposal_id: ProposalId, limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Proposal,
  errors: ['NotFound'],
  example: { output: { ...EXAMPLE_PROPOSAL, conflicts: [], changes: [] } },
  async run(context, { proposal_id, limit, after }) {
    if (after !== undefined && !CURSOR.test(after)) throw noCursor()
    const row = await readableProposal(context.db, context.caller, proposal_id)
    return proposalReply(context, row, { limit, ...(after !== undefined && { after: Number(after) }) })
  },
})
