import { totpOf } from '#src/auth/secret-box.ts'
import { totpStep } from '#src/auth/totp.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { ComposeContext } from '#src/runtime/operation.ts'

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
