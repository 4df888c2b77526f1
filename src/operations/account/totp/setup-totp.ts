import { Type } from 'typebox'
import { totpOf } from '#src/auth/secret-box.ts'
import { newTotpSecret, totpQrCode } from '#src/auth/totp.ts'
import { savePendingTotp } from '#src/operations/account/totp/totp-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const setupTotp = defineOperation({
  name: 'setupTotp',
  summary: 'Begin to set up TOTP: a new secret, pending until it is confirmed.',
  access: 'user',
  needs: 'own',
  fresh: 'all',
  effect: 'compose',
  rest: 'POST /api/auth/2fa/totp/setup',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    secret: Type.String({ description: 'Base32', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    qr_code: Type.String({
      description: 'PNG as data URI',
      examples: ['data:image/png;base64,iVBORw0KGgo='],
    }),
  }),
  async run({ caller, call, services }) {
    const secret = await newTotpSecret()
    const { email } = await call(savePendingTotp, {
      secret: services.secrets.seal(secret, totpOf(caller.user_id!)),
    })
    return { secret, qr_code: await totpQrCode(secret, email) }
  },
})
