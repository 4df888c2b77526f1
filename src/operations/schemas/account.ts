import { MAX_NAME } from '#src/domain/names.ts'
import { Type } from 'typebox'
import { type Role as RoleName, ROLES } from '#src/domain/caller.ts'
import { EMAIL_PATTERN, MAX_EMAIL } from '#src/auth/email.ts'
import { RECOVERY_CODE_PATTERN } from '#src/auth/recovery-code.ts'
import { MAX_PASSWORD, MIN_PASSWORD } from '#src/auth/password.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

// Pieces of inputs.

/** Of what may be wrong anyhow: as much as a body without a session may hold. */
const MAX_GIVEN = 65_536
export const MAX_CODE = 100

export const Email = Type.String({
  maxLength: MAX_EMAIL,
  pattern: EMAIL_PATTERN,
  patternMessage: 'must be an e-mail address, like name@example.org',
  description: 'Compared without case, kept as given',
  examples: ['ada@example.org'],
})
/** Of an attempt: right or wrong, whatever the rules say of it. */
export const GivenEmail = Type.String({ maxLength: MAX_GIVEN, examples: ['ada@example.org'] })
export const GivenPassword = Type.String({ maxLength: MAX_GIVEN, examples: ['correct horse battery'] })
export const NewPassword = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  examples: ['correct horse battery'],
})
export const DisplayName = Type.Union([Type.String({ maxLength: MAX_NAME }), Type.Null()], {
  description: 'null: none',
})
export const Code = Type.String({
  maxLength: MAX_CODE,
  pattern: '^[0-9]{6}$',
  patternMessage: 'must be 6 digits',
  examples: ['123456'],
})

/** Of a sign-in. */
export const SecondFactorCode = Type.String({
  maxLength: MAX_CODE,
  pattern: `^(?:[0-9]{6}|${RECOVERY_CODE_PATTERN})$`,
  patternMessage: 'must be 6 digits, or a recovery code',
  description: 'A TOTP code, or a recovery code',
  examples: ['123456'],
})

/** Whatever it is, it is good or not. */
export const InvitationToken = Type.String({
  maxLength: 200,
  description: 'The token of an invitation, or the one that the start prints for the first account',
})

/** Whatever it is, it is good or not. */
export const ResetToken = Type.String({
  maxLength: MAX_GIVEN,
  description: 'What stands behind `#` in the link',
})

/** What an account may do. */
export const Role = Type.Unsafe<RoleName>({
  type: 'string',
  enum: [...ROLES],
  description:
    '`owner`: everything; `editor`: all but what owners do; `reader`: reads, and changes only what is their own',
})

// Pieces of answers.

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' })

export const UserInfo = Type.Object(
  {
    user_id: Ulid,
    email: Type.String(),
    display_name: Type.Union([Type.String(), Type.Null()]),
    has_totp: Type.Boolean({ description: 'TOTP is active: signing in by password needs a code' }),
    has_passkey: Type.Boolean(),
    linked_idp_a: Type.Boolean(),
    linked_idp_b: Type.Boolean(),
    created_at: Timestamp,
    oauth_providers: Type.Array(Type.String(), { description: 'Linked identity providers' }),
    has_password: Type.Boolean(),
    role: Role,
  },
  { title: 'User' },
)

export const NeedsSecondFactor = Type.Object(
  { needs_2fa: Type.Literal(true) },
  { title: 'NeedsSecondFactor', description: 'Go on with POST /api/auth/2fa/totp/verify' },
)

export const EXAMPLE_USER = {
  user_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  email: 'ada@example.org',
  display_name: 'Ada',
  has_totp: false,
  has_passkey: false,
  linked_idp_a: false,
  linked_idp_b: false,
  created_at: '2026-01-31T09:30:00.000Z',
  oauth_providers: [],
  has_password: true,
  role: 'editor' as const,
}
