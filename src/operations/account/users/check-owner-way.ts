import { unavailable } from '#src/domain/errors.ts'
import { ownerHasPasskey } from '#src/operations/account/users/user-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

/** A start that would let nobody in is none. @throws ServiceUnavailable where passwords are off, and nothing is in their place */
export async function checkOwnerWay(runtime: Runtime): Promise<void> {
  const { passwords, providers } = waysInOf(runtime.services.config)
  if (passwords || providers.length) return
  if (await runStep(runtime, ownerHasPasskey, {})) return
  throw unavailable(
    'PASSWORDS is off, no identity provider is set, and no owner has a passkey: nobody could sign in',
    {
      suggestion:
        'Set IDP_A_ISSUER and what goes with it, or start with passwords and register a passkey first',
    },
  )
}
