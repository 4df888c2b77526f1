import { Type } from 'typebox'
import { Role } from '#src/operations/schemas/account.ts'
import { Id } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

export const InvitationId = Id('Id of the invitation')

export const Invitation = Type.Object(
  {
    invitation_id: Ulid,
    role: Role,
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'For this address alone; null: for anybody',
    }),
    created_by: Ulid,
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'Invitation' },
)

export const EXAMPLE_INVITATION = {
  invitation_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  role: 'editor' as const,
  email: 'bob@example.org',
  created_by: '01JJXZ5T7GQ3M8K4B9R2C6D0EG',
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: '2026-02-07T09:30:00.000Z',
}
