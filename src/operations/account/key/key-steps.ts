import type { Scope } from '#src/domain/caller.ts'
import { conflict, notFound, unauthorized } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { type GivenLimit, keptLimit, loggedLimit } from '#src/operations/account/kept-limit.ts'
import { accountNamed } from '#src/operations/account/users/known-user.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { touchAccount } from '#src/storage/accounts/accounts.ts'
import {
  countKeys,
  deleteKey,
  insertKey,
  type ListedKey,
  type LiveKey,
  selectKey,
  updateKeyUse,
} from '#src/storage/accounts/api-keys.ts'
import { withLimit } from '#src/storage/accounts/limits.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

const MAX_KEYS = 100
const DAY = 24 * 60 * 60 * 1000

interface KeptKey {
  name: string
  scope: Scope
  expires_in_days: number | null
  prefix: string
  key_hash: string
  limit?: GivenLimit | undefined
  /** E-mail address or user id, where an operator makes it. */
  who?: string
}

/** Keeps a new key of the caller, or of whom an operator names. Answers it as it is listed. */
export const addKey = defineStep({
  name: 'addKey',
  effect: 'write',
  still: 'own',
  async run(
    context,
    { name, scope, expires_in_days, prefix, key_hash, who, limit }: KeptKey,
  ): Promise<Reply> {
    const { db, caller, now, newId } = context
    const user_id = who === undefined ? caller.user_id : (await accountNamed(db, who)).user_id
    if (user_id === null) throw unauthorized('Not signed in')
    if ((await countKeys(db, user_id)) >= MAX_KEYS)
      throw conflict(`An account has at most ${MAX_KEYS} keys`, {
        suggestion: 'Delete one with DELETE /api/keys/{key_id}',
      })
    const expires_at =
      expires_in_days === null ? null : new Date(now.getTime() + expires_in_days * DAY).toISOString()
    const kept = limit && (await keptLimit(context, limit, user_id))
    const limited_to = kept?.limited_to ?? null
    const key = { key_id: newId(), name, scope, prefix, created_at: now.toISOString(), expires_at }
    await insertKey(db, { ...key, user_id, key_hash, limited_to })
    const shown: ListedKey = withLimit({ ...key, last_used_at: null, limited_to })
    await appendSecurityEvent(db, context, {
      event_type: 'key_created',
      user_id,
      details: {
        key_id: key.key_id,
        name,
        scope,
        expires_at,
        ...(shown.limit && { limit: loggedLimit(shown.limit) }),
      },
    })
    return Reply.of(shown, { warnings: [...(kept?.warnings ?? [])] })
  },
})

/** What is known of a key, also of an expired one; null: nothing. */
export const findKey = defineStep({
  name: 'findKey',
  effect: 'read',
  inline: true,
  async run({ db }, { key_hash }: { key_hash: string }): Promise<LiveKey | null> {
    return (await selectKey(db, key_hash)) ?? null
  },
})

/** Deletes a key of the caller. Answers the hash of what was ended. */
export const removeKey = defineStep({
  name: 'removeKey',
  effect: 'write',
  still: 'own',
  async run(context, { key_id: given }: { key_id: string }): Promise<{ ended: string[] }> {
    const { db, caller } = context
    const key_id = parseUlid(given)
    const gone = key_id && (await deleteKey(db, caller.user_id!, key_id))
    if (!gone) throw notFound('key', given, { suggestion: 'List yours with GET /api/keys' })
    await appendSecurityEvent(db, context, {
      event_type: 'key_revoked',
      user_id: caller.user_id,
      details: { key_id, name: gone.name },
    })
    return { ended: [gone.key_hash] }
  },
})

/** Notes in which minute a key was used. */
export const touchKey = defineStep({
  name: 'touchKey',
  effect: 'write',
  async run({ db }, { key_hash, user_id, minute }: { key_hash: string; user_id: Ulid; minute: string }) {
    await updateKeyUse(db, key_hash, minute)
    await touchAccount(db, user_id, minute)
    return null
  },
})
