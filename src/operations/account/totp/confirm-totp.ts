import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Code, Message } from '#src/operations/schemas/account.ts'
import { codeStep, invalidCode } from '#src/operations/account/totp/check-code.ts'
import { activateTotp, findOwnTotp } from '#src/operations/account/totp/totp-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const confirmTotp = defineOperation({
  name: 'confirmTotp',
  summary: 'Activate the pending TOTP secret with a code of it.',
  description: 'The code is not used up by this: the next sign-in may take the same one.',
  access: 'user',
  needs: 'own',
  fresh: 'all',
  effect: 'compose',
  rest: 'POST /api/auth/2fa/totp/confirm',
  input: Type.Object({ code: Code }, { additionalProperties: false }),
  output: Message,
  example: { input: { code: '123456' }, output: { message: 'TOTP is active' } },
  async run(context, { code }) {
    const { call } = context
    const { totp } = await call(findOwnTotp, {})
    if (totp?.state !== 'pending') throw nothingPending()
    if ((await codeStep(context, totp.secret, code)) === null) throw invalidCode()
    if (!(await call(activateTotp, { secret: totp.secret }))) throw nothingPending()
    return { message: 'TOTP is active' }
  },
})

const nothingPending = () =>
  badRequest('No setup of TOTP is pending', { suggestion: 'Begin with POST /api/auth/2fa/totp/setup' })
