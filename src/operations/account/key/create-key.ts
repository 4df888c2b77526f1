import { Type } from 'typebox'
import { newKey, prefixOf } from '#src/auth/api-key.ts'
import { hashToken } from '#src/auth/session.ts'
import { Reply } from '#src/domain/reply.ts'
import { EXAMPLE_KEY, Limit, NewKeyAnswer, Scope } from '#src/operations/account/key/key-schemas.ts'
import { addKey } from '#src/operations/account/key/key-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Name } from '#src/operations/schemas/inputs.ts'

export const createKey = defineOperation({
  name: 'createKey',
  summary: 'Make a key, by which a program acts as you.',
  description:
    'It is sent as `Authorization: Bearer <key>`, on every route and on MCP. It is shown only here; what is kept is a ' +
    'hash. With `limit` what it does not see does not exist for it (docs/how-to/use-a-key.md).',
  access: 'user',
  needs: 'own',
  fresh: 'always',
  effect: 'compose',
  rest: 'POST /api/keys',
  input: Type.Object(
    {
      name: Name,
      scope: Scope,
      expires_in_days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3650, description: 'Without it the key does not expire' }),
      ),
      limit: Type.Optional(Limit),
    },
    { additionalProperties: false },
  ),
  output: NewKeyAnswer,
  errors: ['Conflict'],
  example: {
    input: { name: 'nightly report', scope: 'read', expires_in_days: 365 },
    output: { ...EXAMPLE_KEY, key: `facet_${'0'.repeat(49)}` },
  },
  async run({ text }, { name, scope, expires_in_days = null, limit }) {
    const key = newKey()
    const kept = { name, scope, expires_in_days, prefix: prefixOf(key), key_hash: hashToken(key), limit }
    const made = await text(addKey, kept)
    return Reply.of({ ...JSON.parse(made.json), key }, made.meta)
  },
})
