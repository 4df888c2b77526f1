import { hashToken, newToken } from '#src/auth/session.ts'
import { SERVICE } from '#src/domain/caller.ts'
import { termsOf } from '#src/operations/account/invitation/admission.ts'
import { baseIsNew } from '#src/operations/account/invitation/steps/base-is-new.ts'
import { makeSetupToken } from '#src/operations/account/invitation/steps/make-setup-token.ts'
import { type Runtime, runOperation } from '#src/operations/call.ts'

/** The token that the first account takes (additions §1); null: it needs none, or is there. */
export async function setupToken(runtime: Runtime): Promise<string | null> {
  const { guarded, registration } = termsOf(runtime.services.config)
  if (!guarded && registration.kind === 'open') return null
  if ((await runOperation(runtime, baseIsNew, SERVICE, {})).json !== 'true') return null
  const token = newToken()
  const { json } = await runOperation(runtime, makeSetupToken, SERVICE, { token_hash: hashToken(token) })
  return json === 'true' ? token : null
}
