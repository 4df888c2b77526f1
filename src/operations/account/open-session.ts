import type { CallerSession } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { SERVICE } from '#src/domain/caller.ts'
import { hashToken, timerIsDue } from '#src/auth/session.ts'
import type { Facet } from '#src/operations/call.ts'
import { findSession } from '#src/operations/account/find-session.ts'
import { touchSession } from '#src/operations/account/touch-session.ts'
import type { LiveSession } from '#src/storage/sessions.ts'

export interface OpenSession {
  user_id: Ulid
  session: CallerSession
  /** The timer was written: the browser's cookie must start anew too. */
  renewed: boolean
}

/** Whose session a token is. Each request resets the timer, which is written at most once a minute. */
export async function openSession(facet: Facet, token: string): Promise<OpenSession | null> {
  const token_hash = hashToken(token)
  const live = await lookUp(facet, token_hash)
  if (!live) return null
  const { user_id, state, expires_at } = live
  const due = state === 'full' && timerIsDue(expires_at, facet.clock())
  return { user_id, session: { token_hash, state }, renewed: due && (await touch(facet, token_hash)) }
}

/** Whether the session still lives; it counts as no request. For what stays open longer than an answer. */
export async function sessionLives(facet: Facet, token_hash: string): Promise<boolean> {
  return (await lookUp(facet, token_hash)) !== null
}

async function lookUp(facet: Facet, token_hash: string): Promise<LiveSession | null> {
  const call = { name: findSession.name, caller: SERVICE, input: { token_hash }, now: facet.clock() }
  const { json } = await facet.engine.readHere(call)
  return JSON.parse(json) as LiveSession | null
}

async function touch(facet: Facet, token_hash: string): Promise<boolean> {
  const call = { name: touchSession.name, caller: SERVICE, input: { token_hash }, now: facet.clock() }
  const { json } = await facet.engine.write(call)
  return json === 'true'
}
