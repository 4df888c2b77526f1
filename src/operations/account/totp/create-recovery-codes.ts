import { Type } from 'typebox'
import { newRecoveryCodes, plainRecoveryCode } from '#src/auth/recovery-code.ts'
import { hashToken } from '#src/auth/session.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Code } from '#src/operations/schemas/account.ts'
import { findOwnTotp, keepRecoveryCodes } from '#src/operations/account/totp/totp-steps.ts'
import { checkCode } from '#src/operations/account/totp/check-code.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const createRecoveryCodes = defineOperation({
  name: 'createRecoveryCodes',
  summary: 'Make ten recovery codes, each good for one sign-in in place of a TOTP code.',
  description: 'They are shown only here and replace earlier ones. Disabling TOTP drops them.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'POST /api/auth/2fa/recovery-codes',
  input: Type.Object({ code: Code }, { additionalProperties: false }),
  output: Type.Object({ codes: Type.Array(Type.String()) }),
  errors: ['TooManyRequests'],
  example: { input: { code: '123456' }, output: { codes: ['0A1B-2C3D-4E5F-6G7H'] } },
  async run(context, { code }) {
    const { call } = context
    const { totp } = await call(findOwnTotp, {})
    if (totp?.state !== 'active') throw notActive()
    await checkCode(context, totp.secret, code, { once: false })
    const codes = newRecoveryCodes()
    const code_hashes = codes.map((each) => hashToken(plainRecoveryCode(each)))
    if (!(await call(keepRecoveryCodes, { code_hashes }))) throw notActive()
    return { codes }
  },
})

const notActive = () =>
  badRequest('TOTP is not active', { suggestion: 'Begin with POST /api/auth/2fa/totp/setup' })
