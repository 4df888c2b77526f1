import { Type } from 'typebox'
import { hashToken, newToken } from '#src/auth/session.ts'
import { invalid } from '#src/domain/errors.ts'
import { Email, Role } from '#src/operations/schemas/account.ts'
import { EXAMPLE_INVITATION, Invitation } from '#src/operations/account/invitation/invitation-schemas.ts'
import { addInvitation } from '#src/operations/account/invitation/invitation-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

const DEFAULT_DAYS = 7

export const createInvitation = defineOperation({
  name: 'createInvitation',
  summary: 'Invite somebody: a link that lets one account be made, also where registration is closed.',
  description:
    'The token in `url` is shown only here and can be used once, as `invitation` of POST /api/auth/register. ' +
    'With `email` it is for that address alone; where PASSWORDS is off it has one, and signing in with a provider of that address uses it. Without `role` the new account gets DEFAULT_ROLE.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'POST /api/invitations',
  input: Type.Object(
    {
      role: Type.Optional(Role),
      email: Type.Optional(Email),
      expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, description: 'Default 7' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ ...Invitation.properties, url: Type.String({ description: 'Holds the token' }) }),
  errors: ['Conflict'],
  example: {
    input: { role: 'editor', email: 'bob@example.org' },
    output: { ...EXAMPLE_INVITATION, url: 'https://facet.example.org/?invitation=…' },
  },
  async run({ call, services: { config } }, input) {
    if (!config.passwords && input.email === undefined)
      throw invalid([
        {
          path: 'email',
          message: 'is required: passwords are off, and a provider of the address uses the invitation',
        },
      ])
    const token = newToken()
    const invitation = await call(addInvitation, {
      role: input.role ?? config.default_role,
      email: input.email ?? null,
      expires_in_days: input.expires_in_days ?? DEFAULT_DAYS,
      token_hash: hashToken(token),
    })
    return { ...invitation, url: `${config.public_url}/?invitation=${token}` }
  },
})
