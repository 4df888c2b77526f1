import { unauthorized } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** The interface through which a change came; kept with each audit event. */
export type Source = 'rest' | 'mcp' | 'chat'

export interface CallerSession {
  token_hash: string
  /** `partial`: the password was right, the second factor is still to come. */
  state: 'partial' | 'full'
}

/** Who calls, from where, through what. Plain data: it crosses to the worker threads. */
export interface Caller {
  user_id: Ulid | null
  session: CallerSession | null
  source: Source
  /** The client's IP address. */
  address: string
}

/** The account behind a call of `user` access. */
export function userOf({ user_id }: Caller): Ulid {
  if (user_id === null) throw unauthorized('Not signed in')
  return user_id
}

/** The service itself, e.g. when it sweeps expired rows. */
export const SERVICE: Caller = { user_id: null, session: null, source: 'rest', address: '' }
