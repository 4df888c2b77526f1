import { Type } from 'typebox'
import { type Scope as ScopeName, SCOPES } from '#src/domain/caller.ts'
import { Id, ItemFilter, TagIdOrName } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

export const KeyId = Id('Id of the key')
export const Scope = Type.Unsafe<ScopeName>({
  type: 'string',
  enum: [...SCOPES],
  description:
    '`read`: what changes nothing; `propose`: changes are kept until somebody accepts them; `write`: all that the role of the account allows',
})

export const Limit = Type.Object(
  {
    tag_ids: Type.Optional(
      Type.Array(TagIdOrName, {
        minItems: 1,
        maxItems: 100,
        description: 'Items that have one of these tags, or one that extends it; other tags are unknown',
      }),
    ),
    filter: Type.Optional(ItemFilter),
  },
  {
    additionalProperties: false,
    description: 'The part of the base that it sees, by tags, by a filter, or by both; without it everything',
  },
)

export const ShownLimit = Type.Object(
  {
    tag_ids: Type.Optional(Type.Array(Ulid)),
    filter: Type.Optional(ItemFilter),
  },
  { title: 'Limit', description: 'The part of the base that it sees; not there where it sees everything' },
)

export const Key = Type.Object(
  {
    key_id: Ulid,
    name: Type.String(),
    scope: Scope,
    prefix: Type.String({ description: 'How it begins' }),
    created_at: Timestamp,
    expires_at: Type.Union([Timestamp, Type.Null()], { description: 'null: never' }),
    last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'To the minute; null: never' }),
    limit: Type.Optional(ShownLimit),
  },
  { title: 'Key' },
)

export const NewKeyAnswer = Type.Object(
  { ...Key.properties, key: Type.String({ description: 'The key itself; it is shown only here' }) },
  { title: 'NewKey' },
)

export const EXAMPLE_KEY = {
  key_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  name: 'nightly report',
  scope: 'read',
  prefix: 'facet_0AbCdE',
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: null,
  last_used_at: null,
}
