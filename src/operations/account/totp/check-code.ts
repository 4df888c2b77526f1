import { totpOf } from '#src/auth/secret-box.ts'
import { totpStep } from '#src/auth/totp.ts'
import { badRequest, unavailable } from '#src/domain/errors.ts'
import { takeCode } from '#src/operations/account/totp/totp-steps.ts'
import type { ComposeContext } from '#src/runtime/operation.ts'

/**
 * A code of somebody who is signed in; a wrong one counts. `once`: it is used up.
 * @throws BadRequest where it is wrong or was used, TooManyRequests
 */
export async function checkCode(
  context: ComposeContext,
  sealed: string,
  code: string,
  { once }: { once: boolean },
): Promise<void> {
  const step = await codeStep(context, sealed, code)
  if (await context.call(takeCode, { secret: sealed, step, once })) return
  throw invalidCode()
}

export const invalidCode = () =>
  badRequest('Invalid code', {
    suggestion:
      'Give the code that your authenticator shows now; each is good once. Where all are refused, the clock of its device is wrong',
  })

/**
 * The time step whose code of the caller's sealed secret it is; null: a wrong code.
 * @throws ServiceUnavailable where the secret cannot be opened
 */
export async function codeStep(
  { caller, services, now }: ComposeContext,
  sealed: string,
  code: string,
): Promise<number | null> {
  const secret = services.secrets.open(sealed, totpOf(caller.user_id!))
  if (secret === null)
    throw unavailable(
      'Codes of this account cannot be checked: the service has lost the key of its TOTP secret',
      {
        suggestion:
          'Sign in with a recovery code. Or ask the operator of the service to put the key back (SECRET_KEY or the key file), or to take the second factor away: npm run facet -- user remove-totp',
      },
    )
  return totpStep(secret, code, now)
}
