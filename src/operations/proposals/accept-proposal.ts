import { Type } from 'typebox'
import { EXAMPLE_PROPOSAL, Proposal, ProposalId } from '#src/operations/proposals/proposal-schemas.ts'
import { readAcceptance, showProposal, writeAcceptance } from '#src/operations/proposals/proposal-steps.ts'
import { Reply } from '#src/domain/reply.ts'
import { Ids } from '#src/operations/schemas/inputs.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'

/** So often an acceptance is planned without holding the writer; anyone who writes meanwhile may be in its way each time. */
const MAX_TRIES = 2

export const acceptProposal = defineOperation({
  name: 'acceptProposal',
  summary: 'Accept a proposal, or some of it: it is carried out as one change, which can be undone.',
  description:
    'What a part needs of the proposal (tags, schemas, new items it refers to) goes with it. What has moved since is a ' +
    'conflict: with `on_conflict: "refuse"` (default) nothing changes, with "skip" it stays open. Editors and owners ' +
    'decide, never the key or app that proposed it.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'compose',
  rest: 'POST /api/proposals/{proposal_id}/accept',
  input: Type.Object(
    {
      proposal_id: ProposalId,
      item_ids: Type.Optional(Ids('Only these of its `changes` (placeholders and ids of tags too)')),
      on_conflict: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('skip')])),
    },
    { additionalProperties: false },
  ),
  output: Proposal,
  errors: ['NotFound', 'Conflict'],
  example: { input: {}, output: { ...EXAMPLE_PROPOSAL, state: 'accepted', conflicts: [], changes: [] } },
  async run({ text }, { on_conflict = 'refuse', ...input }) {
    const wanted = { item_ids: undefined, ...input }
    for (let tries = 0; ; tries++) {
      const { json: read } = await text(readAcceptance, wanted)
      const here = tries === MAX_TRIES
      const written = await text(writeAcceptance, { ...wanted, on_conflict, read, here })
      if (rollbackReason(written)) continue
      if (!written.meta?.before_log) return written
      const { json } = await text(showProposal, { proposal_id: input.proposal_id })
      return new Reply(json, written.meta)
    }
  },
})
