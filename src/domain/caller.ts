import type { Allowance } from '#src/domain/allowance.ts'
import { unauthorized } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** The interface through which a change came; kept with each audit event. */
export const SOURCES = ['rest', 'mcp', 'chat'] as const
export type Source = (typeof SOURCES)[number]

/** What an account may do (additions §1), most first. */
export const ROLES = ['owner', 'editor', 'reader'] as const
export type Role = (typeof ROLES)[number]

/** What a key or an app allows; a session allows all. */
export const SCOPES = ['read', 'propose', 'write'] as const
export type Scope = (typeof SCOPES)[number]

/** By what means the caller came; kept with what they change. */
export interface CallerClient {
  kind: 'session' | 'key' | 'app' | 'cli'
  id: string | null
  name: string | null
}

export interface CallerSession {
  token_hash: string
  /** `partial`: the password was right, the second factor is still to come. */
  state: 'partial' | 'full'
  /** When it last proved who it is: at the sign-in, or by a confirmation since. */
  proven_at: string
  /** When it began. */
  created_at: string
}

/** A browser that has signed in to an account by password before. */
export interface KnownDevice {
  id: string
  /** `deviceKey` of it. */
  account: string
}

/** Says who calls, from where, through what. Plain data: it crosses to the worker threads. */
export interface Caller {
  user_id: Ulid | null
  /** null where nobody is signed in. */
  role: Role | null
  scope: Scope
  /** Of a browser; null for keys and apps. */
  session: CallerSession | null
  /** Hash of the token that the caller showed: open streams belong to it and end with it. */
  token_hash: string | null
  client: CallerClient | null
  source: Source
  /** The client's IP address. */
  address: string
  user_agent: string | null
  device?: KnownDevice | null
  /** A key or an app that sees a part of the base (further §17). */
  limited?: true
  /** How many items the call may change; without it any number. */
  may_change?: Allowance
}

/** The account behind a call of `user` access. */
export function userOf({ user_id }: Caller): Ulid {
  if (user_id === null) throw unauthorized('Not signed in')
  return user_id
}

/** Nobody in particular. */
export const NOBODY: Caller = {
  user_id: null,
  role: null,
  scope: 'write',
  session: null,
  token_hash: null,
  client: null,
  source: 'rest',
  address: '',
  user_agent: null,
}

/** The service itself, e.g. when it sweeps expired rows. */
export const SERVICE: Caller = { ...NOBODY }

/** An operator at the command line. */
export const OPERATOR: Caller = { ...NOBODY, client: { kind: 'cli', id: null, name: null } }
