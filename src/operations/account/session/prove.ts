import { badRequest, invalid, unauthorized } from '#src/domain/errors.ts'
import { findPassword } from '#src/operations/account/password/password-steps.ts'
import { recordFailure } from '#src/operations/account/password/login-steps.ts'
import { codeStep } from '#src/operations/account/totp/code-step.ts'
import { findOwnTotp } from '#src/operations/account/totp/totp-steps.ts'
import type { ComposeContext } from '#src/runtime/operation.ts'

/** The caller's own password. Wrong ones count as failed sign-ins. @throws Unauthorized, TooManyRequests */
export async function provePassword(
  { caller, call, services }: ComposeContext,
  password: string,
): Promise<void> {
  await call(findPassword, {}) // refuses before anything waits
  await services.passwords.inTurn(caller, async ({ verify }) => {
    const { email, password_hash } = await call(findPassword, {})
    if (await verify(password, password_hash)) return
    await call(recordFailure, { email })
    throw unauthorized('The password is wrong')
  })
}

/** A code of the caller's TOTP. Wrong ones count. @throws BadRequest, TooManyRequests */
export async function proveCode(context: ComposeContext, code: string): Promise<void> {
  const { call } = context
  const { email, totp } = await call(findOwnTotp, {})
  if (totp?.state !== 'active') throw badRequest('TOTP is not active, so no code proves anything')
  if ((await codeStep(context, totp.secret, code)) !== null) return
  await call(recordFailure, { email })
  throw badRequest('Invalid code', { suggestion: 'Give the code that your authenticator shows now' })
}

export interface GivenProof {
  current_password?: string
  code?: string
}

/**
 * A password or code with a change of the account. An account that has neither must have proved itself lately.
 * @throws BadRequest where it is missing, Unauthorized where it is wrong
 */
export async function proveOrBeFresh(
  context: ComposeContext,
  { current_password, code }: GivenProof,
  proofs: readonly string[],
  checkFresh: () => void,
): Promise<void> {
  if (current_password !== undefined && code !== undefined)
    throw invalid([{ path: 'code', message: 'give either current_password or code' }])
  if (current_password !== undefined) return provePassword(context, current_password)
  if (code !== undefined) return proveCode(context, code)
  if (proofs.includes('password')) throw invalid([{ path: 'current_password', message: 'is required' }])
  if (proofs.includes('totp')) throw invalid([{ path: 'code', message: 'is required' }])
  checkFresh()
}
