import { conflict, unauthorized } from '#src/domain/errors.ts'
import type { Scope } from '#src/domain/caller.ts'
import { accountNamed } from '#src/operations/account/operator/account-named.ts'
import { defineStep } from '#src/operations/step.ts'
import { countKeys, insertKey, type ListedKey } from '#src/storage/accounts/api-keys.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

const MAX_KEYS = 100
const DAY = 24 * 60 * 60 * 1000

interface KeptKey {
  name: string
  scope: Scope
  expires_in_days: number | null
  prefix: string
  key_hash: string
  /** E-mail address or user id, where an operator makes it. */
  who?: string
}

/** Keeps a new key of the caller, or of whom an operator names. */
export const addKey = defineStep({
  name: 'addKey',
  effect: 'write',
  async run(context, { name, scope, expires_in_days, prefix, key_hash, who }: KeptKey): Promise<ListedKey> {
    const { db, caller, now, newId } = context
    const user_id = who === undefined ? caller.user_id : (await accountNamed(db, who)).user_id
    if (user_id === null) throw unauthorized('Not signed in')
    if ((await countKeys(db, user_id)) >= MAX_KEYS)
      throw conflict(`An account has at most ${MAX_KEYS} keys`, {
        suggestion: 'Delete one with DELETE /api/keys/{key_id}',
      })
    const expires_at =
      expires_in_days === null ? null : new Date(now.getTime() + expires_in_days * DAY).toISOString()
    const key = { key_id: newId(), name, scope, prefix, created_at: now.toISOString(), expires_at }
    await insertKey(db, { ...key, user_id, key_hash })
    await appendSecurityEvent(db, context, {
      event_type: 'key_created',
      user_id,
      details: { key_id: key.key_id, name, scope, expires_at },
    })
    return { ...key, last_used_at: null }
  },
})
