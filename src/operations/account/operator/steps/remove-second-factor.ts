import { accountNamed, type Who } from '#src/operations/account/operator/account-named.ts'
import { defineStep } from '#src/operations/step.ts'
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

/** Takes somebody's TOTP, passkeys or linked providers away for an operator and ends the sessions. */
export const removeSecondFactor = defineStep({
  name: 'removeSecondFactor',
  effect: 'write',
  async run(context, { who, factor }: Who & { factor: 'totp' | 'passkeys' | 'providers' }) {
    const { db } = context
    const account = await accountNamed(db, who)
    const { user_id } = account
    const removed = await REMOVERS[factor](db, user_id)
    if (removed) await appendSecurityEvent(db, context, { event_type: EVENTS[factor], user_id })
    return { ...account, removed, ended_sessions: (await deleteSessionsOf(db, user_id)).length }
  },
})
