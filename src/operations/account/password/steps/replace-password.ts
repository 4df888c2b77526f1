import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { findAccount, setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

const Hash = Type.Union([Type.String(), Type.Null()])

export const replacePassword = defineOperation({
  name: 'replacePassword',
  summary: "Sets the caller's password and ends the account's other sessions.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    /** What the current password was checked against. */
    expected_hash: Hash,
    password_hash: Type.String(),
  }),
  output: Type.Union([
    Type.Object({ ended: Type.Array(Type.String()) }),
    Type.Null({ description: 'The password has been changed meanwhile' }),
  ]),
  async run(context, { expected_hash, password_hash }) {
    const { db, caller } = context
    const user_id = caller.user_id!
    const account = await findAccount(db, user_id)
    if (!account || account.password_hash !== expected_hash) return null
    await setPasswordHash(db, user_id, password_hash)
    await appendSecurityEvent(db, context, { event_type: 'password_changed', user_id })
    return { ended: await deleteSessionsOf(db, user_id, { except: caller.session?.token_hash }) }
  },
})
