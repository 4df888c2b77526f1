import { isKeyLike, isWholeKey } from '#src/auth/api-key.ts'
import { minuteOf } from '#src/domain/iso-time.ts'
import { hashToken } from '#src/auth/session.ts'
import { invalidToken } from '#src/domain/errors.ts'
import { findKey, touchKey } from '#src/operations/account/key/key-steps.ts'
import { KnownTokens, NotedUses } from '#src/operations/account/session/known-tokens.ts'
import { writeBeside } from '#src/operations/account/session/write-beside.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import type { LiveKey } from '#src/storage/accounts/api-keys.ts'

export interface OpenKey extends LiveKey {
  key_hash: string
}

const known = new KnownTokens<OpenKey>()
const uses = new NotedUses()

/** Whose key it is. Its use is noted once a minute, alongside the answer. @throws Unauthorized */
export async function openKey(runtime: Runtime, key: string): Promise<OpenKey> {
  if (!isKeyLike(key)) throw unknownKey()
  if (!isWholeKey(key))
    throw invalidToken('This key is mistyped or cut off: its checksum does not fit', {
      suggestion: 'Copy it again: "facet_" and 49 letters and digits',
    })
  const found = await known.find(runtime.engine, key, () => lookUp(runtime, hashToken(key)))
  if (!found) throw unknownKey()
  const now = runtime.clock()
  if (found.expires_at !== null && found.expires_at <= new Date(now).toISOString())
    throw invalidToken(`This key expired at ${found.expires_at}`, { suggestion: NEW_ONE })
  const minute = minuteOf(now)
  if (uses.isDue(runtime.engine, found.key_hash, found.last_used_at, minute)) {
    found.last_used_at = minute
    const { key_hash, user_id } = found
    void writeBeside(runtime, key_hash, touchKey, { key_hash, user_id, minute })
  }
  return found
}

async function lookUp(runtime: Runtime, key_hash: string): Promise<OpenKey | null> {
  const live = await runStep(runtime, findKey, { key_hash })
  return live && { ...live, key_hash }
}

const NEW_ONE = 'Make a new one with POST /api/keys, in a session'

const unknownKey = () =>
  invalidToken('This key is unknown: it was revoked, or never was', { suggestion: NEW_ONE })
