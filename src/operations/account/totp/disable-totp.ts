import { Type } from 'typebox'
import { badRequest, invalid } from '#src/domain/errors.ts'
import { MAX_CODE, Message } from '#src/operations/schemas/account.ts'
import { checkCode } from '#src/operations/account/totp/check-code.ts'
import { findOwnTotp, removeTotp } from '#src/operations/account/totp/totp-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const disableTotp = defineOperation({
  name: 'disableTotp',
  summary: 'Disable TOTP with a code, or give up a pending setup without one.',
  access: 'user',
  needs: 'own',
  fresh: 'all',
  effect: 'compose',
  rest: 'POST /api/auth/2fa/totp/disable',
  input: Type.Object(
    { code: Type.Optional(Type.String({ maxLength: MAX_CODE, description: 'Needed while TOTP is active' })) },
    { additionalProperties: false },
  ),
  output: Message,
  errors: ['TooManyRequests'],
  example: { input: { code: '123456' }, output: { message: 'TOTP is disabled' } },
  async run(context, { code }) {
    const { call } = context
    const { totp } = await call(findOwnTotp, {})
    if (!totp) throw notSetUp()
    if (totp.state === 'active' && code === undefined)
      throw invalid([{ path: 'code', message: 'is required while TOTP is active' }])
    // The code of a sign-in may still disable; a second time it cannot, because the secret goes with it.
    if (totp.state === 'active') await checkCode(context, totp.secret, code ?? '', { once: false })
    if (!(await call(removeTotp, totp))) throw notSetUp()
    return { message: totp.state === 'active' ? 'TOTP is disabled' : 'The setup of TOTP is given up' }
  },
})

const notSetUp = () => badRequest('TOTP is not set up')
