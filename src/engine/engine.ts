import type { Caller } from '#src/domain/caller.ts'
import type { KeyedRequest } from '#src/domain/idempotency.ts'
import type { Precondition } from '#src/domain/precondition.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Db } from '#src/sql/query.ts'

/** An operation that is SQL alone, as the engine sees it. */
export interface SqlCall {
  name: string
  caller: Caller
  input: unknown
  /** Milliseconds since the epoch at which the call came in; the operation knows no other clock. */
  now: number
  /** Where it is today, unless the input says otherwise: an IANA name; UTC where nobody says. */
  time_zone?: string
  /** Which states a change may find. */
  precondition?: Precondition | undefined
  /** The change is carried out once, and its answer kept. */
  once?: KeyedRequest | undefined
  /** Of a change: only what it is planned from is asked for; it is a read then. */
  plan?: true
  /** Of a change: it is carried out where nothing of it stays and nobody waits for it; it is a read then. */
  scratch?: true
  /** What was answered to that, before the change itself. */
  planned?: string | undefined
  /**
   * Of a change that was planned: rows may be written before it has its turn, where the engine can do that; 'now': they
   * are to be written, and nothing else (decision 110).
   */
  ahead?: 'may' | 'now' | undefined
  /** Of a change: it may be long, so that no other shares its transaction, and waits for its end. */
  alone?: true | undefined
  /** Characters after which a page of a list ends early; without it, its own limit. */
  page_text?: number | undefined
  /** Of a read: whether what lags behind may answer it; without it, where that has what the account has written. */
  late?: boolean | undefined
}

/**
 * What carries out a call on a connection; given to the engine by the one that starts it. Of a call whose reply says
 * `rolled_back` nothing stays, as of one that fails.
 */
export type SqlRunner = (db: Db, call: SqlCall, newId: () => string) => Promise<Reply>

/** When a call ends before it is done, besides its deadline. */
export interface Limits {
  /** The client has left, or its session has ended. */
  signal?: AbortSignal | undefined
  /** Of a read: it goes over a table to change many items, has the time of a change, and keeps out of others' way. */
  long?: boolean | undefined
}

/** Milliseconds after which a call is ended. */
export interface Timeouts {
  read: number
  change: number
}

/** Runs calls: reads concurrently, writes one after the other, each whole or not at all. */
export interface Engine {
  read(call: SqlCall, limits?: Limits): Promise<Reply>
  /** Answers after the COMMIT. Fails with ServiceUnavailable where the outcome is unknown; never tries twice. */
  write(call: SqlCall, limits?: Limits): Promise<Reply>
  /** A point read without a hop to another thread; only for reads by key. */
  readInline(call: SqlCall): Promise<Reply>
  /** Whether a transaction of another process holds the name (`dialect.names`). */
  isHeld(name: string): Promise<boolean>
  /** Why nothing can be written now, as far as the last calls showed; null: nothing is known to be wrong. */
  writeFault(): Error | null
  /** A write of some size has just gone well: what the disk refused before is over. */
  forgetWriteFault(): void
  /** Moves with every write that is answered: what was read at one version holds as long as it stays. null: not known. */
  version(): number | null
  /** To the other processes of the service; null where this one has the database to itself. */
  readonly relay: Relay | null
  /** Finishes what is under way, then closes every connection. */
  close(): Promise<void>
}

/** What processes say to each other. The body of `sessions ended` is a JSON array of token hashes, of `events` and `webhooks` empty. */
export type Topic = 'sessions ended' | 'mcp' | 'events' | 'webhooks' | 'imports' | 'notifications'

/** Carries messages between the processes of one service. A process that cannot be reached at the moment does not get them. */
export interface Relay {
  /** Sends a message to every other process. */
  publish(topic: Topic, body: string): Promise<void>
  subscribe(topic: Topic, listener: (body: string) => void): void
  /** An event stream that this process holds open, and the session that it belongs to. */
  openStream(stream_id: string, token_hash: string): Promise<void>
  closeStream(stream_id: string): Promise<void>
  /** Whether another process holds that stream, or any stream, of the session. */
  hasStream(token_hash: string, stream_id?: string): Promise<boolean>
  /** Takes what one process has at a time. @returns what lets it go; null: another process has it, and is not gone */
  hold(name: string): Promise<(() => void) | null>
}

/** How the engine reports what no caller can mend. */
export type EngineLog = (
  level: 'warn' | 'error' | 'fatal',
  message: string,
  details: Record<string, unknown>,
) => void
