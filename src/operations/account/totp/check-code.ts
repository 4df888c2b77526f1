import { badRequest } from '#src/domain/errors.ts'
import { codeStep } from '#src/operations/account/totp/code-step.ts'
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
  throw badRequest('Invalid code', {
    suggestion: 'Give the code that your authenticator shows now; each is good once',
  })
}
