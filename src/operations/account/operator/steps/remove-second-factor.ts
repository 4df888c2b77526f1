import { Type } from 'typebox'
import { accountNamed } from '#src/operations/account/operator/account-named.ts'
import { defineOperation } from '#src/operations/operation.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { deleteAllIdentitiesOf } from '#src/storage/accounts/identities.ts'
import { deletePasskeysOf } from '#src/storage/accounts/passkeys.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { deleteTotp } from '#src/storage/accounts/totp.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

const REMOVERS = {
  totp: async (db: Db, user_id: Ulid) => Number(await deleteTotp(db, user_id)),
  passkeys: deletePasskeysOf,
  providers: deleteAllIdentitiesOf,
}

const EVENTS = {
  totp: 'totp_disabled',
  passkeys: 'passkey_removed',
  providers: 'provider_unlinked',
} as const

export const removeSecondFactor = defineOperation({
  name: 'removeSecondFactor',
  summary: "Takes somebody's TOTP, passkeys or linked providers away for an operator and ends the sessions.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    /** E-mail address or user id. */
    who: Type.String(),
    factor: Type.Union([Type.Literal('totp'), Type.Literal('passkeys'), Type.Literal('providers')]),
  }),
  output: Type.Object({
    user_id: Type.String(),
    email: Type.String(),
    /** How many there were. */
    removed: Type.Integer(),
    ended_sessions: Type.Integer(),
  }),
  async run(context, { who, factor }) {
    const { db } = context
    const account = await accountNamed(db, who)
    const { user_id } = account
    const removed = await REMOVERS[factor](db, user_id)
    if (removed) await appendSecurityEvent(db, context, { event_type: EVENTS[factor], user_id })
    return { ...account, removed, ended_sessions: (await deleteSessionsOf(db, user_id)).length }
  },
})
