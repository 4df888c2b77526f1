import { badRequest } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { insertPasskey, passkeysOf } from '#src/storage/accounts/passkeys.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** An account's list stays short enough to be sent with every sign-in. */
const MAX_PASSKEYS = 100

interface Input {
  name: string
  credential_id: string
  public_key: string
  counter: number
  transports: string[]
}

/** Keeps a passkey of the caller. */
export const addPasskey = defineStep({
  name: 'addPasskey',
  effect: 'write',
  async run(context, passkey: Input) {
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
