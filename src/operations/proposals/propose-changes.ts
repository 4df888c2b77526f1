import { Type } from 'typebox'
import { BatchOperations } from '#src/operations/changes/batch.ts'
import { propose } from '#src/operations/proposals/propose.ts'
import { EXAMPLE_PROPOSAL, Proposal } from '#src/operations/proposals/proposal-schemas.ts'
import { AllowWarnings } from '#src/operations/schemas/inputs.ts'
import { defineOperation } from '#src/runtime/operation.ts'

const MAX_MESSAGE = 10_000

export const proposeChanges = defineOperation({
  name: 'proposeChanges',
  summary:
    'Propose changes: what the operations would do is kept until an editor or owner accepts or refuses it.',
  description:
    'The operations are those of a batch, but for purgeDeleted and undoChanges, and must pass its dry run. Kept is what ' +
    'they would do to each item and tag; what they would make has placeholders, and gets its ids when it is accepted. ' +
    'What would change nothing is answered with 200 and not kept. At most 10,000 events and 16 MB, and 100 open proposals ' +
    'an account. Open ones that nobody touches for 90 days are withdrawn.',
  tool_description:
    'As batch, without purgeDeleted and undoChanges; a person decides. list_proposals says what became of it.',
  access: 'user',
  in_part: true,
  every_role: true,
  for_proposers: 'as_ever',
  effect: 'compose',
  creates: true,
  rest: 'POST /api/proposals',
  tool: 'propose_changes',
  input: Type.Object(
    {
      operations: BatchOperations,
      message: Type.Optional(
        Type.Union([Type.String({ minLength: 1, maxLength: MAX_MESSAGE }), Type.Null()], {
          description: 'Why, for who decides',
        }),
      ),
      allow_warnings: Type.Optional(AllowWarnings),
    },
    { additionalProperties: false },
  ),
  output: Proposal,
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      operations: [
        {
          operation: 'updateTagValues',
          input: {
            item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
            tag_id: 'Task',
            field_values: { status: 'done' },
            merge: true,
          },
        },
      ],
      message: EXAMPLE_PROPOSAL.message,
    },
    output: { ...EXAMPLE_PROPOSAL, conflicts: [], changes: [] },
  },
  run: (context, { operations, message = null, allow_warnings = false }) =>
    propose(context, { operations, single: false, allow_warnings, message, brief: false }),
})
