import { Type } from 'typebox'
import { Id } from '#src/operations/schemas/inputs.ts'
import { Client, Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const ProposalId = Id('Id of the proposal')
export const State = Type.Union([
  Type.Literal('open'),
  Type.Literal('accepted'),
  Type.Literal('refused'),
  Type.Literal('withdrawn'),
])

const PartChange = Type.Object(
  {
    item_id: Type.Optional(Ulid),
    tag_id: Type.Optional(Ulid),
    name: Type.String({ description: 'When it was proposed' }),
    action: Type.Union([
      Type.Literal('created'),
      Type.Literal('changed'),
      Type.Literal('deleted'),
      Type.Literal('restored'),
    ]),
    changes: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['Task.status'] }),
        old: Type.Unknown(),
        new: Type.Unknown(),
      }),
      { description: 'null is what is not there; what would be deleted loses its name' },
    ),
  },
  { title: 'ProposedChange' },
)

const head = {
  proposal_id: orNull(Ulid),
  state: orNull(State),
  summary: Type.String({ examples: ['Set Task.status of 37 items'] }),
  message: orNull(Type.String()),
  created_at: orNull(Timestamp),
  user_id: orNull(Ulid),
  source: orNull(Type.String({ description: 'rest, mcp or chat' })),
  client: Client,
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'Events by type' }),
  changed_count: Type.Integer({ minimum: 0, description: 'Items and tags that it would change' }),
  decided_by: orNull(Ulid),
  decided_at: orNull(Timestamp),
  reason: orNull(Type.String()),
  change_ids: Type.Array(Ulid, { description: 'The changes that acceptance made' }),
  made: Type.Record(Type.String(), Ulid, { description: 'Ids of what was made, by their placeholders' }),
}
export const ListedProposal = Type.Object(head, { title: 'ListedProposal' })
export const Proposal = Type.Object(
  {
    ...head,
    conflicts: Type.Array(
      Type.Object(
        {
          change_id: Type.Null(),
          event_id: Type.Null(),
          item_id: orNull(Ulid),
          tag_id: orNull(Ulid),
          item_name: orNull(Type.String()),
          path: orNull(Type.String()),
          reason: Type.String(),
          suggestion: Type.String(),
          present: Type.Unknown({ description: 'What is there now' }),
          restored: Type.Unknown({ description: 'What the proposal wants there' }),
        },
        { title: 'ProposalConflict' },
      ),
      { description: 'What has moved since it was made' },
    ),
    changes: Type.Array(PartChange, { description: 'In pages: X-Next-Cursor, where more follow' }),
  },
  { title: 'Proposal' },
)

/** What stands for a change that was kept as a proposal. */
export const KeptCall = Type.Object(
  {
    proposal_id: orNull(Ulid),
    summary: Type.String(),
    changed_count: Type.Integer({ minimum: 0 }),
    sample: Type.Array(PartChange),
  },
  { title: 'KeptCall' },
)

export const EXAMPLE_PROPOSAL = {
  proposal_id: '01JJXZ5T7GQ3M8K4B9R2C6D0PR',
  state: 'open' as const,
  summary: 'Set Task.status of 1 item',
  message: 'It was paid on Monday',
  created_at: '2026-01-31T09:30:00.000Z',
  user_id: '01JJXZ5T7GQ3M8K4B9R2C6D0VS',
  source: 'mcp',
  client: null,
  counts: { tag_values_updated: 1 },
  changed_count: 1,
  decided_by: null,
  decided_at: null,
  reason: null,
  change_ids: [],
  made: {},
}
