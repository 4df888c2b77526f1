import type { Caller } from '#src/domain/caller.ts'
import { type ErrorDetails, forbidden, type ServiceError } from '#src/domain/errors.ts'
import { isFresh } from '#src/runtime/may-call.ts'
import { type ComposeContext, defineStep } from '#src/runtime/operation.ts'
import { findAccount } from '#src/storage/accounts/accounts.ts'
import { passkeysOf } from '#src/storage/accounts/passkeys.ts'
import { findTotp } from '#src/storage/accounts/totp.ts'

/** @throws Forbidden that names the ways in which the account can prove who it is, and has the details besides */
export function checkFresh(
  { caller, now }: Pick<ComposeContext, 'caller' | 'now'>,
  confirm: string[],
  details: ErrorDetails = {},
): void {
  if (isFresh(caller, now.getTime())) return
  throw forbidden('This asks for a proof within the last 10 minutes that it is you', {
    suggestion: confirm.length
      ? `Confirm it with POST /api/auth/confirm (${confirm.join(', ')}), then do it again`
      : 'Sign out and in again, then do it again',
    details: { ...details, confirm },
  })
}

/** What was added by a session that had not proved itself. `confirm`: what counts in its place. */
export const provesNothing = (confirm: string[]): ServiceError =>
  forbidden(
    'It was added by a session that had not proved who it is: it proves nothing until somebody has signed in with it',
    {
      suggestion: confirm.length
        ? `Confirm with POST /api/auth/confirm (${confirm.join(', ')})`
        : 'Sign out and in again',
      details: { confirm },
    },
  )

/** When a way to sign in was added, where it proves nothing yet (additions §11); null: the caller has proved themselves. */
export const unprovenAt = ({ caller, now }: { caller: Caller; now: Date }): string | null =>
  isFresh(caller, now.getTime()) ? null : now.toISOString()

/** Whether a way to sign in proves who the caller is: one that was unproven when their session was open does not. */
export const proves = ({ session }: Caller, unproven_at: string | null): boolean =>
  unproven_at === null || (session !== null && session.created_at > unproven_at)

/** The ways in which the caller can prove who they are. */
export const findProofs = defineStep({
  name: 'findProofs',
  effect: 'read',
  inline: true,
  async run({ db, caller }, { passwords }: { passwords: boolean }): Promise<string[]> {
    const user_id = caller.user_id!
    const account = await findAccount(db, user_id)
    const totp = await findTotp(db, user_id)
    const passkeys = await passkeysOf(db, user_id)
    const hasPassword = passwords && !!account?.password_hash && proves(caller, account.password_unproven_at)
    return [
      ...(hasPassword ? ['password'] : []),
      ...(totp?.state === 'active' && proves(caller, totp.unproven_at) ? ['totp'] : []),
      ...(passkeys.some((each) => proves(caller, each.unproven_at)) ? ['passkey'] : []),
    ]
  },
})
