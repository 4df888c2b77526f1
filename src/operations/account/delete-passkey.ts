import { Type } from 'typebox'
import { notFound } from '#src/domain/errors.ts'
import { Message } from '#src/operations/account/account-schemas.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { deletePasskey as deleteInDatabase } from '#src/storage/passkeys.ts'

export const deletePasskey = defineOperation({
  name: 'deletePasskey',
  summary: "Delete one of the account's passkeys.",
  access: 'user',
  effect: 'write',
  rest: 'DELETE /api/auth/passkeys/{credential_id}',
  input: Type.Object(
    { credential_id: Type.String({ description: 'As GET /api/auth/passkeys lists it' }) },
    { additionalProperties: false },
  ),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Passkey deleted' } },
  async run({ db, caller }, { credential_id }) {
    if (!(await deleteInDatabase(db, caller.user_id!, credential_id)))
      throw notFound('passkey', credential_id)
    return { message: 'Passkey deleted' }
  },
})
