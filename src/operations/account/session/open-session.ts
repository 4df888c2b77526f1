import { setTimeout as sleep } from 'node:timers/promises'
import { type CallerSession, type Role, SERVICE } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { hashToken, managedSince, timerIsDue } from '#src/auth/session.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { KnownTokens } from '#src/operations/account/session/known-tokens.ts'
import { findSession, touchSession } from '#src/operations/account/session/session-steps.ts'
import { writeBeside } from '#src/operations/account/session/write-beside.ts'
import type { LiveSession } from '#src/storage/accounts/sessions.ts'

export interface OpenSession {
  user_id: Ulid
  role: Role
  session_id: Ulid
  session: CallerSession
  /** The timer is written: the browser's cookie must start again too. */
  renewed: boolean
}

/**
 * Whose session a token is. Each request resets the timer, which is written at most once a minute, and alongside the
 * answer: a read waits for nobody who writes.
 */
export async function openSession(runtime: Runtime, token: string): Promise<OpenSession | null> {
  const live = await findLive(runtime, token)
  if (!live || isOver(live, runtime.clock())) return null
  const { token_hash, user_id, role, session_id, state, proven_at, created_at, expires_at } = live
  const due = state === 'full' && timerIsDue(expires_at, runtime.clock())
  const session = { token_hash, state, proven_at, created_at }
  return { user_id, role, session_id, session, renewed: due && (await renew(runtime, live)) }
}

/** It is remembered, and time goes on. */
const isOver = ({ expires_at, role_provider, session_id }: LiveSession, now: number): boolean =>
  expires_at <= new Date(now).toISOString() || (role_provider !== null && session_id <= managedSince(now))

type HashedSession = LiveSession & { token_hash: string }

const known = new KnownTokens<HashedSession>()

function findLive(runtime: Runtime, token: string): Promise<HashedSession | null> {
  return known.find(runtime.engine, token, async () => {
    const token_hash = hashToken(token)
    const live = await lookUp(runtime, token_hash)
    return live && { ...live, token_hash }
  })
}

async function lookUp(
  runtime: Pick<Runtime, 'engine' | 'clock'>,
  token_hash: string,
): Promise<LiveSession | null> {
  const call = { name: findSession.name, caller: SERVICE, input: { token_hash }, now: runtime.clock() }
  const { json } = await runtime.engine.readInline(call)
  return JSON.parse(json) as LiveSession | null
}

/** Milliseconds before its end in which a session's timer is waited for, and for how long. */
const NEARLY_OVER = 86_400_000
const PATIENCE_MS = 500

/** Whether it is written by this call. Where it fails, the next request tries again. */
async function renew(runtime: Runtime, { token_hash, expires_at }: HashedSession): Promise<boolean> {
  const written = writeBeside(runtime, token_hash, touchSession, { token_hash })
  if (!written) return false
  if (Date.parse(expires_at) < runtime.clock() + NEARLY_OVER)
    await Promise.race([written, sleep(PATIENCE_MS, undefined, { ref: false })])
  return true
}
