import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { insertPasskey, passkeysOf } from '#src/storage/accounts/passkeys.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** An account's list stays short enough to be sent with every sign-in. */
const MAX_PASSKEYS = 100

export const addPasskey = defineOperation({
  name: 'addPasskey',
  summary: 'Keeps a passkey of the caller.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    name: Type.String(),
    credential_id: Type.String(),
    public_key: Type.String(),
    counter: Type.Integer(),
    transports: Type.Array(Type.String()),
  }),
  output: Type.Null(),
  async run(context, passkey) {
    const { db, caller, now } = context
    const user_id = caller.user_id!
    if ((await passkeysOf(db, user_id)).length >= MAX_PASSKEYS)
      throw badRequest(`An account has at most ${MAX_PASSKEYS} passkeys`, {
        suggestion: 'Delete one with DELETE /api/auth/passkeys/{credential_id}',
      })
    const added = await insertPasskey(db, { ...passkey, user_id, created_at: now.toISOString() })
    if (!added) throw badRequest('This passkey is registered already')
    await appendSecurityEvent(db, context, {
      event_type: 'passkey_added',
      user_id,
      details: { name: passkey.name },
    })
    return null
  },
})
