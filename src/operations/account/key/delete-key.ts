import { Type } from 'typebox'
import { Message } from '#src/operations/schemas/account.ts'
import { KeyId } from '#src/operations/account/key/key-schemas.ts'
import { removeKey } from '#src/operations/account/key/key-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const deleteKey = defineOperation({
  name: 'deleteKey',
  summary: 'Revoke a key; what it holds open ends at once.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'DELETE /api/keys/{key_id}',
  input: Type.Object({ key_id: KeyId }, { additionalProperties: false }),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Key revoked' } },
  async run({ call, services }, { key_id }) {
    const { ended } = await call(removeKey, { key_id })
    services.sessions.ended(ended)
    return { message: 'Key revoked' }
  },
})
