import { Type } from 'typebox'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { Message } from '#src/operations/schemas/account.ts'
import { InvitationId } from '#src/operations/account/invitation/invitation-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { removeInvitation, invitationOfId } from '#src/storage/accounts/invitations.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const deleteInvitation = defineOperation({
  name: 'deleteInvitation',
  summary: 'Take an invitation back.',
  access: 'user',
  needs: 'owner',
  effect: 'write',
  rest: 'DELETE /api/invitations/{invitation_id}',
  input: Type.Object({ invitation_id: InvitationId }, { additionalProperties: false }),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Invitation revoked' } },
  async run(context, { invitation_id: given }) {
    const { db } = context
    const invitation_id = parseUlid(given)
    const found = invitation_id && (await invitationOfId(db, invitation_id))
    if (!found || found.created_by === null || found.used_at !== null)
      throw notFound('invitation', given, { suggestion: 'List the open ones with GET /api/invitations' })
    await removeInvitation(db, found.invitation_id)
    await appendSecurityEvent(db, context, {
      event_type: 'invitation_revoked',
      user_id: null,
      details: { invitation_id: found.invitation_id },
    })
    return { message: 'Invitation revoked' }
  },
})
