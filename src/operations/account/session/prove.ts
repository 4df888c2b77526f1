import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { badRequest, invalid, unauthorized } from '#src/domain/errors.ts'
import { findPassword } from '#src/operations/account/password/password-steps.ts'
import { recordFailure } from '#src/operations/account/password/login-steps.ts'
import { checkCode } from '#src/operations/account/totp/check-code.ts'
import { findOwnTotp } from '#src/operations/account/totp/totp-steps.ts'
import { checkFresh, findProofs, provesNothing } from '#src/runtime/fresh-proof.ts'
import { isFresh } from '#src/runtime/may-call.ts'
import type { ComposeContext } from '#src/runtime/operation.ts'

/**
 * The caller's own password; answers whether it proves who they are. Wrong ones count as failed sign-ins.
 * @throws Unauthorized, TooManyRequests; Forbidden where it proves nothing, and nothing else did lately
 */
export async function checkPassword(context: ComposeContext, password: string): Promise<boolean> {
  const { caller, call, services } = context
  refusePasswords(services.config)
  const { proves } = await call(findPassword, {}) // refuses before anything waits
  await refuseUnproven(context, proves)
  await services.passwords.inTurn(caller, async ({ verify }) => {
    const { email, password_hash } = await call(findPassword, {})
    if (await verify(password, password_hash)) return
    await call(recordFailure, { email })
    throw unauthorized(password_hash === null ? 'The account has no password' : 'The password is wrong')
  })
  return proves
}

/** As `checkPassword`, with a code of the caller's TOTP, which is used up. @throws BadRequest where it is wrong */
export async function checkOwnCode(context: ComposeContext, code: string): Promise<boolean> {
  const { totp, proves } = await context.call(findOwnTotp, {})
  if (totp?.state !== 'active') throw badRequest('TOTP is not active, so no code proves anything')
  await refuseUnproven(context, proves)
  await checkCode(context, totp.secret, code, { once: true })
  return proves
}

async function refuseUnproven(
  { caller, call, now, services }: ComposeContext,
  proves: boolean,
): Promise<void> {
  if (!proves && !isFresh(caller, now))
    throw provesNothing(await call(findProofs, { passwords: services.config.passwords }))
}

export interface GivenProof {
  current_password?: string
  code?: string
}

/**
 * A password or code with a change of the account; answers whether it proves who the caller is. An account that has
 * neither must have proved itself lately.
 * @throws BadRequest where it is missing, Unauthorized where it is wrong
 */
export async function proveOrBeFresh(
  context: ComposeContext,
  { current_password, code }: GivenProof,
): Promise<boolean> {
  if (current_password !== undefined && code !== undefined)
    throw invalid([{ path: 'code', message: 'give either current_password or code' }])
  if (current_password !== undefined) return checkPassword(context, current_password)
  if (code !== undefined) return checkOwnCode(context, code)
  const proofs = await context.call(findProofs, { passwords: context.services.config.passwords })
  if (proofs.includes('password')) throw invalid([{ path: 'current_password', message: 'is required' }])
  if (proofs.includes('totp')) throw invalid([{ path: 'code', message: 'is required' }])
  checkFresh(context, proofs)
  return false
}
