import { Type } from 'typebox'
import { Ended } from '#src/operations/account/account-schemas.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteSession } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const endSession = defineOperation({
  name: 'endSession',
  summary: 'Ends one session.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ token_hash: Type.String() }),
  output: Ended,
  async run(context, { token_hash }) {
    const { db, caller } = context
    const ended = await deleteSession(db, token_hash)
    if (ended.length)
      await appendSecurityEvent(db, context, { event_type: 'signed_out', user_id: caller.user_id })
    return { ended }
  },
})
