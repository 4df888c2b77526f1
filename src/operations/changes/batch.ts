import { Type } from 'typebox'
import { batchable } from '#src/operations/changes/batchable.ts'
import { runBatch } from '#src/operations/changes/run-batch.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { AllowWarnings, DryRun, MAX_BULK } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'

const MAX_AS = 100

export const BatchOperations = Type.Array(
  Type.Object(
    {
      operation: Type.String({ maxLength: MAX_AS }),
      input: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      as: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_AS, description: 'A name for its id' })),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: MAX_BULK, description: 'Carried out in this order' },
)

export const batch = defineOperation({
  name: 'batch',
  summary: 'Carry out several changes in order, in one transaction and as one change: all or none.',
  description:
    '`operation` is one of ' +
    [...batchable.keys()].join(', ') +
    '; `input` is what its tool takes, without `dry_run`. `{"$": "name"}` in a later input stands for the id that the ' +
    'operation with that `as` made. At most 10 bulk operations and 100,000 affected items.',
  tool_description:
    'Operations: ' +
    [...batchable.keys()].join(', ') +
    '. `input` as their tools take it, without dry_run; {"$": "name"} in it is the id that the operation with that `as` ' +
    'made. At most 10 bulk operations, 100,000 items.',
  access: 'user',
  in_part: true,
  effect: 'compose',
  retryable: true,
  rest: 'POST /api/batch',
  tool: 'batch',
  hints: { destructive: true },
  input: Type.Object(
    {
      operations: BatchOperations,
      dry_run: Type.Optional(DryRun),
      allow_warnings: Type.Optional(AllowWarnings),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    results: Type.Array(Type.Unknown(), { description: 'The answers, in order' }),
    change_id: Type.Union([Ulid, Type.Null()], { description: 'null where nothing was recorded' }),
    dry_run: Type.Boolean(),
  }),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      operations: [
        { operation: 'createItem', input: { name: 'Garden' }, as: 'garden' },
        {
          operation: 'applyTag',
          input: { item_id: { $: 'garden' }, tag: { tag_ref: { Existing: 'Project' } } },
        },
      ],
    },
  },
  run: ({ text }, { operations, dry_run = false, allow_warnings = false }) =>
    text(runBatch, { operations, dry_run, allow_warnings }),
})
