import { Type } from 'typebox'
import { isRecoveryCode, plainRecoveryCode } from '#src/auth/recovery-code.ts'
import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { hashToken } from '#src/auth/session.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { EXAMPLE_USER, SecondFactorCode, UserInfo } from '#src/operations/schemas/account.ts'
import { codeStep, invalidCode } from '#src/operations/account/totp/check-code.ts'
import { findOwnTotp } from '#src/operations/account/totp/totp-steps.ts'
import { finishLogin, signInAgain } from '#src/operations/account/password/login-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const verifyTotp = defineOperation({
  name: 'verifyTotp',
  summary: 'Complete a sign-in by password with a TOTP code.',
  description:
    'A code is accepted once; a recovery code does in its place. Five wrong codes end the partial session.',
  access: 'partial',
  needs: 'own',
  effect: 'compose',
  rest: 'POST /api/auth/2fa/totp/verify',
  input: Type.Object({ code: SecondFactorCode }, { additionalProperties: false }),
  output: UserInfo,
  errors: ['TooManyRequests'],
  example: { input: { code: '123456' }, output: { ...EXAMPLE_USER, has_totp: true } },
  async run(context, { code }) {
    const { caller, call, services } = context
    if (caller.session!.state !== 'partial') throw signInAgain()
    refusePasswords(services.config)
    const { totp } = await call(findOwnTotp, {})
    if (totp?.state !== 'active') throw signInAgain()
    const recovery_hash = isRecoveryCode(code) ? hashToken(plainRecoveryCode(code)) : null
    const step = recovery_hash === null ? await codeStep(context, totp.secret, code) : null
    const { user, ended } = await call(finishLogin, { secret: totp.secret, step, recovery_hash })
    services.sessions.ended(ended)
    if (!user) {
      services.metrics.signInFailed('code')
      throw recovery_hash === null ? invalidCode() : invalidRecoveryCode()
    }
    return Reply.of(user, { session_change: 'renewed' })
  },
})

const invalidRecoveryCode = () =>
  badRequest('Invalid code', { suggestion: 'Look at your list again: each recovery code is good once' })
