import { forbidden } from '#src/domain/errors.ts'
import { isFresh } from '#src/runtime/may-call.ts'
import type { ComposeContext } from '#src/runtime/operation.ts'
import { defineStep } from '#src/runtime/step.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'

/** @throws Forbidden that names the ways in which the account can prove who it is */
export function checkFresh({ caller, now }: Pick<ComposeContext, 'caller' | 'now'>, confirm: string[]): void {
  if (isFresh(caller, now.getTime())) return
  throw forbidden('This asks for a proof within the last 10 minutes that it is you', {
    suggestion: confirm.length
      ? `Confirm it with POST /api/auth/confirm (${confirm.join(', ')}), then do it again`
      : 'Sign in again, then do it again',
    details: { confirm },
  })
}

/** The ways in which the caller can prove who they are. */
export const findProofs = defineStep({
  name: 'findProofs',
  effect: 'read',
  inline: true,
  async run({ db, caller }): Promise<string[]> {
    const user = await findUser(db, caller.user_id!)
    return [
      ...(user?.has_password ? ['password'] : []),
      ...(user?.has_totp ? ['totp'] : []),
      ...(user?.has_passkey ? ['passkey'] : []),
    ]
  },
})
