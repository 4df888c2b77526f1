import { hashToken, newToken } from '#src/auth/session.ts'
import { termsOf } from '#src/operations/account/invitation/admission.ts'
import { baseIsNew, makeSetupToken } from '#src/operations/account/invitation/invitation-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

/** The token that the first account takes (additions §1); null: it needs none, or is there. */
export async function setupToken(runtime: Runtime): Promise<string | null> {
  const { guarded, registration, passwords } = termsOf(runtime.services.config)
  if (!passwords || (!guarded && registration.kind === 'open')) return null
  if (!(await runStep(runtime, baseIsNew, {}))) return null
  const token = newToken()
  return (await runStep(runtime, makeSetupToken, { token_hash: hashToken(token) })) ? token : null
}
