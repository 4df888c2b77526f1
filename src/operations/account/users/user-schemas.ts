import { Type } from 'typebox'
import { Role } from '#src/operations/schemas/account.ts'
import { Id } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

export const UserId = Id('Id of the user')

const known = {
  user_id: Ulid,
  display_name: Type.Union([Type.String(), Type.Null()], { description: '"(deleted)" of a deleted account' }),
  disabled: Type.Boolean({ description: 'Cannot sign in' }),
}

/** As an owner sees it. */
export const ManagedUser = Type.Object(
  {
    ...known,
    email: Type.String(),
    role: Role,
    has_totp: Type.Boolean(),
    has_passkey: Type.Boolean(),
    created_at: Timestamp,
    last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'To the minute; null: never' }),
  },
  { title: 'ManagedUser' },
)

/** As everybody sees it, so that logs can name people. */
export const NamedUser = Type.Object(known, { title: 'NamedUser' })

export const EXAMPLE_MANAGED = {
  user_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  display_name: 'Ada',
  disabled: false,
  email: 'ada@example.org',
  role: 'editor' as const,
  has_totp: false,
  has_passkey: true,
  created_at: '2026-01-31T09:30:00.000Z',
  last_used_at: '2026-01-31T09:30:00.000Z',
}
