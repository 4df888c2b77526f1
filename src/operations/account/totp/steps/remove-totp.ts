import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteTotp, findTotp } from '#src/storage/accounts/totp.ts'

export const removeTotp = defineOperation({
  name: 'removeTotp',
  summary: "Takes the caller's TOTP secret away; answers whether it still was that one.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({ secret: Type.String(), state: Type.String() }),
  output: Type.Boolean(),
  async run({ db, caller }, { secret, state }) {
    const totp = await findTotp(db, caller.user_id!)
    if (totp?.secret !== secret || totp.state !== state) return false
    return deleteTotp(db, caller.user_id!)
  },
})
