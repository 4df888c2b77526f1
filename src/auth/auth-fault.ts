import { type ErrorCode, type ErrorDetails, ServiceError } from '#src/domain/errors.ts'

/** Why a sign-in with a provider fails; a browser finds the name in `/?auth_error=`. */
const FAULTS = {
  invalid_state: ['BadRequest', 'This sign-in was not begun in this browser, or took too long'],
  session_ended: ['BadRequest', 'The session to which the provider was to be linked has ended'],
  provider_error: ['BadRequest', 'The provider refused the sign-in'],
  exchange_failed: ['BadRequest', "The provider's answer could not be verified"],
  provider_unavailable: ['ServiceUnavailable', 'The provider cannot be reached'],
  email_missing: ['BadRequest', 'The provider gave no e-mail address'],
  email_unverified: [
    'BadRequest',
    'An account has this e-mail address, and the provider, or the account, has not proved whose it is',
  ],
  registration_refused: ['Forbidden', 'There is no account for this e-mail address, and it may not have one'],
  too_many_accounts: ['TooManyRequests', 'Too many accounts were made from this address within the hour'],
  no_role: ['Forbidden', 'The provider says nothing of you that gives a role here'],
  identity_in_use: ['Conflict', 'This identity is linked to another account'],
} as const satisfies Record<string, readonly [ErrorCode, string]>

export type AuthFault = keyof typeof FAULTS

export function authFault(fault: AuthFault, details: ErrorDetails & { reason?: string } = {}): ServiceError {
  const [code, message] = FAULTS[fault]
  return new ServiceError(code, message, {
    suggestion: 'Begin again with GET /api/auth/oauth/{provider}',
    details: { auth_error: fault, ...details },
  })
}
