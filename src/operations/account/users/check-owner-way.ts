import type { Config } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import { ownerHasPasskey } from '#src/operations/account/users/user-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

/** A start that would let nobody in is none. @throws ServiceUnavailable where passwords are off, and nothing is in their place */
export const checkOwnerWay = (runtime: Runtime): Promise<void> =>
  refuseNoOwnerWay(runtime.services.config, () => runStep(runtime, ownerHasPasskey, {}))

/** The same, wherever it is asked; `hasPasskey` says whether an owner has one. */
export async function refuseNoOwnerWay(config: Config, hasPasskey: () => Promise<boolean>): Promise<void> {
  const { passwords, providers } = waysInOf(config)
  if (passwords || providers.length) return
  if (await hasPasskey()) return
  throw unavailable(
    'PASSWORDS is off, no identity provider is set, and no owner has a passkey: nobody could sign in',
    {
      suggestion:
        'Set IDP_A_ISSUER and what goes with it, or start with passwords and register a passkey first',
    },
  )
}
