import { Type } from 'typebox'
import { badRequest, notFound } from '#src/domain/errors.ts'
import { Message } from '#src/operations/schemas/account.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { MAX_ID } from '#src/operations/schemas/inputs.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'
import { removePasskey } from '#src/storage/accounts/passkeys.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const deletePasskey = defineOperation({
  name: 'deletePasskey',
  summary: "Delete one of the account's passkeys, where another way to sign in remains.",
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'DELETE /api/auth/passkeys/{credential_id}',
  input: Type.Object(
    { credential_id: Type.String({ maxLength: MAX_ID, description: 'As GET /api/auth/passkeys lists it' }) },
    { additionalProperties: false },
  ),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Passkey deleted' } },
  async run(context, { credential_id }) {
    const { db, caller } = context
    if (!(await removePasskey(db, caller.user_id!, credential_id))) throw notFound('passkey', credential_id)
    const user = await findUser(db, caller.user_id!)
    if (!user!.has_password && !user!.has_passkey && !user!.oauth_providers.length)
      throw badRequest('This passkey is the only way to sign in to the account', {
        suggestion: 'Set a password with POST /api/auth/password first, or register another passkey',
      })
    await appendSecurityEvent(db, context, { event_type: 'passkey_removed', user_id: caller.user_id })
    return { message: 'Passkey deleted' }
  },
})
