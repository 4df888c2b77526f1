import { hash, randomBytes } from 'node:crypto'
import { lastUlidAt, type Ulid } from '#src/domain/ulid.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** Without a request for this long a session ends (specification, Limits). */
export const SESSION_LIFE = 7 * DAY
/** Of an account whose role a provider says: what it says now is asked again (further §21). */
const MANAGED_LIFE = DAY
/** How long the second factor may take; not extended by anything. */
const PARTIAL_LIFE = 10 * MINUTE
/** Wrong codes that end a partial session. */
export const MAX_WRONG_CODES = 5
/** The timer is written at most this often. */
const RESOLUTION = MINUTE

/** 256 random bits; only the browser keeps it. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database holds of a token. A plain hash will do: nobody guesses 256 bits. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

/** One step of the resolution more than promised, so that a session never ends early. */
export const expiryOf = (state: 'partial' | 'full', now: Date): Date =>
  new Date(now.getTime() + (state === 'full' ? SESSION_LIFE + RESOLUTION : PARTIAL_LIFE))

/**
 * Sessions of such accounts whose id is this or less are over. The id says when the row was made: one that goes on
 * because it has linked the provider, where its user has just signed in, counts from then on.
 */
export const managedSince = (now: number): Ulid => lastUlidAt(now - MANAGED_LIFE)

/** Whether the timer must be written for the session to live its whole life from now on. */
export const timerIsDue = (expires_at: string, now: number): boolean =>
  Date.parse(expires_at) < now + SESSION_LIFE

/** When a full session was used last, as its timer tells: milliseconds since the epoch. */
export const lastUse = (expires_at: string): number => Date.parse(expires_at) - SESSION_LIFE - RESOLUTION
