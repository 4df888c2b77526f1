import { Type } from 'typebox'
import { Ended } from '#src/operations/account/account-schemas.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteSessionsOf } from '#src/storage/sessions.ts'

export const endSessions = defineOperation({
  name: 'endSessions',
  summary: 'Ends the sessions of a user, all or some.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    user_id: Type.String(),
    /** Token hash of the one that stays. */
    except: Type.Optional(Type.String()),
    created_before: Type.Optional(Type.String()),
  }),
  output: Ended,
  async run({ db }, { user_id, except, created_before }) {
    return { ended: await deleteSessionsOf(db, user_id, { except, created_before }) }
  },
})
