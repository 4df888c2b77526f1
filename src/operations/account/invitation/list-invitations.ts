import { Type } from 'typebox'
import { EXAMPLE_INVITATION, Invitation } from '#src/operations/account/invitation/invitation-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { openInvitations } from '#src/storage/accounts/invitations.ts'

export const listInvitations = defineOperation({
  name: 'listInvitations',
  summary: 'List the invitations that can still be used, newest first.',
  access: 'user',
  needs: 'owner',
  effect: 'read',
  rest: 'GET /api/invitations',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(Invitation),
  example: { output: [EXAMPLE_INVITATION] },
  async run({ db, now }) {
    const open = await openInvitations(db, now)
    return open.map(({ invitation_id, role, email, created_by, created_at, expires_at }) => ({
      invitation_id,
      role,
      email,
      created_by: created_by!,
      created_at,
      expires_at,
    }))
  },
})
