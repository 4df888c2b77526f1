import { Type } from 'typebox'
import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { hashToken, newToken } from '#src/auth/session.ts'
import { addResetLink } from '#src/operations/account/reset/reset-steps.ts'
import { EXAMPLE_MANAGED, UserId } from '#src/operations/account/users/user-schemas.ts'
import { Timestamp } from '#src/operations/schemas/answers.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const createResetLink = defineOperation({
  name: 'createResetLink',
  summary: 'Make a link by which somebody sets a new password, once, within 24 hours.',
  description:
    'For who has forgotten it. `url` is shown only here; its token stands in the fragment and goes to POST /api/auth/reset. ' +
    'A newer link, another address or role, a new password and disabling end it. Not for owners, nor for disabled accounts (409).',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'POST /api/users/{user_id}/reset-link',
  input: Type.Object({ user_id: UserId }, { additionalProperties: false }),
  output: Type.Object(
    { url: Type.String({ description: 'Holds the token' }), expires_at: Timestamp },
    { title: 'ResetLink' },
  ),
  errors: ['NotFound', 'Conflict'],
  example: {
    input: { user_id: EXAMPLE_MANAGED.user_id },
    output: { url: 'https://facet.example.org/reset#…', expires_at: '2026-02-01T09:30:00.000Z' },
  },
  async run({ call, services: { config } }, { user_id: who }) {
    refusePasswords(config)
    const token = newToken()
    const { expires_at } = await call(addResetLink, { who, token_hash: hashToken(token) })
    return { url: `${config.public_url}/reset#${token}`, expires_at }
  },
})
