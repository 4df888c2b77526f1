import { minuteOf } from '#src/domain/iso-time.ts'
import { expiryOf } from '#src/auth/session.ts'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { touchAccount } from '#src/storage/accounts/accounts.ts'
import { deleteExpiredRows } from '#src/storage/accounts/expired-rows.ts'
import { liveTokens } from '#src/storage/accounts/live-tokens.ts'
import { movePasskeyCounter } from '#src/storage/accounts/passkeys.ts'
import {
  appendSecurityEvent,
  recordCounted,
  sweepSecurityEvents,
} from '#src/storage/accounts/security-log.ts'
import {
  deleteSession,
  deleteSessionOfId,
  deleteSessionsOf,
  findLiveSession,
  type LiveSession,
  moveSessionTimer,
  setProven,
} from '#src/storage/accounts/sessions.ts'

/** The live session of a token, or null. */
export const findSession = defineStep({
  name: 'findSession',
  effect: 'read',
  async run({ db, now }, { token_hash }: { token_hash: string }): Promise<LiveSession | null> {
    return (await findLiveSession(db, token_hash, now)) ?? null
  },
})

/** Starts the inactivity timer of a full session again; answers whether it was written. */
export const touchSession = defineStep({
  name: 'touchSession',
  effect: 'write',
  async run({ db, now }, { token_hash }: { token_hash: string }): Promise<boolean> {
    const user_id = await moveSessionTimer(db, token_hash, expiryOf('full', now))
    if (user_id === undefined) return false
    await touchAccount(db, user_id, minuteOf(now.getTime()))
    return true
  },
})

/** Ends one session. */
export const endSession = defineStep({
  name: 'endSession',
  effect: 'write',
  async run(context, { token_hash }: { token_hash: string }) {
    const { db, caller } = context
    const ended = await deleteSession(db, token_hash)
    if (ended.length)
      await appendSecurityEvent(db, context, { event_type: 'signed_out', user_id: caller.user_id })
    return { ended }
  },
})

/** Ends a session of the caller. */
export const endOwnSession = defineStep({
  name: 'endOwnSession',
  effect: 'write',
  still: 'own',
  async run(context, { session_id: given }: { session_id: string }): Promise<{ ended: string[] }> {
    const { db, caller } = context
    const session_id = parseUlid(given)
    const ended = session_id === null ? [] : await deleteSessionOfId(db, caller.user_id!, session_id)
    if (!ended.length)
      throw notFound('session', given, { suggestion: 'List yours with GET /api/auth/sessions' })
    await appendSecurityEvent(db, context, {
      event_type: 'session_ended',
      user_id: caller.user_id,
      details: { session_id },
    })
    return { ended }
  },
})

/** Ends all sessions of the caller but the one that asks. */
export const endOtherSessions = defineStep({
  name: 'endOtherSessions',
  effect: 'write',
  still: 'own',
  async run(context): Promise<{ ended: string[] }> {
    const { db, caller } = context
    const ended = await deleteSessionsOf(db, caller.user_id!, { except: caller.session?.token_hash })
    if (ended.length)
      await appendSecurityEvent(db, context, {
        event_type: 'session_ended',
        user_id: caller.user_id,
        details: { ended: ended.length },
      })
    return { ended }
  },
})

/** Those of the tokens that have ended: by time, in another process, or by the command line. */
export const findEndedTokens = defineStep({
  name: 'findEndedTokens',
  effect: 'read',
  async run({ db, now }, { token_hashes }: { token_hashes: string[] }): Promise<string[]> {
    const live = await liveTokens(db, token_hashes, now)
    return token_hashes.filter((each) => !live.has(each))
  },
})

/** Rows of each kind in one transaction: other writes wait meanwhile. */
const BATCH = 1000

/** Deletes sessions, challenges, sign-ins and failures whose time is over. */
export const sweepExpired = defineStep({
  name: 'sweepExpired',
  effect: 'write',
  async run({ db, now }) {
    return deleteExpiredRows(db, now, BATCH)
  },
})

interface Proof {
  by: 'password' | 'totp' | 'passkey'
  /** Of a passkey, before and after. */
  counter?: { credential_id: string; from: number; to: number }
}

/** Makes the caller's session a fresh one; answers false where the passkey's counter has moved meanwhile. */
export const renewProof = defineStep({
  name: 'renewProof',
  effect: 'write',
  still: 'own',
  async run(context, { by, counter }: Proof): Promise<boolean> {
    const { db, caller, now } = context
    if (counter && !(await movePasskeyCounter(db, counter.credential_id, counter.from, counter.to)))
      return false
    await setProven(db, caller.session!.token_hash, now)
    await appendSecurityEvent(db, context, {
      event_type: 'confirmed',
      user_id: caller.user_id,
      details: { by },
    })
    return true
  },
})

/** Records a sign-in that nothing counts; `user_id` null: of nobody who is known. */
export const recordSignInFailed = defineStep({
  name: 'recordSignInFailed',
  effect: 'write',
  async run(context, { user_id, by }: { user_id: Ulid | null; by: string }) {
    await appendSecurityEvent(context.db, context, {
      event_type: 'sign_in_failed',
      user_id,
      details: { by },
    })
    return null
  },
})

/** Deletes events of the security log from before a time, and records what was counted; answers whether there may be more. */
export const sweepSecurityLog = defineStep({
  name: 'sweepSecurityLog',
  effect: 'write',
  async run(context, { before }: { before: string }): Promise<boolean> {
    const { db } = context
    const isMore = await recordCounted(db, context, 'all')
    return (await sweepSecurityEvents(db, before, BATCH)) >= BATCH || isMore
  },
})
