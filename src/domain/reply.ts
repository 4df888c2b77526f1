/**
 * Why a call left nothing behind, and is called again by the service: what it was planned from has changed too much;
 * the log lacks events of a large change; too many texts wait for the index of searches; what it restores has left the
 * indexes.
 */
export type RollbackReason = 'overtaken' | 'log_incomplete' | 'no_text_room' | 'out_of_indexes'

/** The characters of a text that came: `path` is `description` or `Task.notes`, `of` how many it has. */
export interface TextPart {
  path: string
  from: number
  to: number
  of: number
}

/** What accompanies an answer: in headers over HTTP, in a second text block over MCP. */
export interface ReplyMeta {
  /** Over HTTP, where it is not 200. */
  status?: 201 | 202
  /** Opaque cursor of the following page, where there is one. */
  next?: string
  /** The property of the input that takes it; `after` where it is not given. */
  next_in?: string
  /** The newest event that a search saw, or a moment where its filter goes by the time. */
  event_id?: string
  /** Number of all matches, where it was asked for. */
  total?: number
  /** How many notifications of the caller are unread. */
  unread?: number
  /** What a filter says that can never match, in words. */
  warnings?: string[]
  /** Which conditions of a filter that found nothing find nothing by themselves; only tools say so. */
  hints?: string[]
  /** Of a tool's search that found nothing: items that any of its words would have found. */
  nearest?: { item_id: string; name: string; snippet: unknown }[]
  /** Of which texts of an item not all came, and from which character of them on it goes on; only tools say so. */
  part?: { texts: TextPart[]; next?: number }
  /** It was answered before, to the same request under its Idempotency-Key. */
  replayed?: true
  /** Of the change that the call made; absent where nothing was recorded. */
  change_id?: string
  /** Of what the change recorded, some is still to be entered into the log. */
  drafted?: true
  /** What the answer takes from the log is as it was before that: it is to be read again. */
  before_log?: true
  /** The engine rolls back what the call has written. `items`: row ids that are to be in the indexes first. */
  rolled_back?: { reason: RollbackReason; items?: readonly number[] }
  /** Somebody has other notifications now. */
  rings?: true
  /** Accounts besides the caller's whose next reads are to find what was written. */
  concerns?: readonly string[]
  /** How many items the call has changed; counted where the caller may change only this many. */
  changed?: number
  /** What becomes of the caller's session: a new token (a secret), the old one again, or its end. */
  session_change?: { token: string } | 'renewed' | 'ended'
  /** What the browser is to be known by (a secret). */
  device?: string
}

/** An answer as JSON text: stored JSON is pasted into it, never parsed. */
export class Reply {
  /** The text as it goes out; bytes where another thread has encoded it, which is none of the main thread's work then. */
  readonly body: string | Buffer
  readonly meta: ReplyMeta | undefined

  constructor(body: string | Buffer, meta?: ReplyMeta) {
    this.body = body
    this.meta = meta
  }

  get json(): string {
    const { body } = this
    return typeof body === 'string' ? body : body.toString()
  }

  get bytes(): Buffer {
    const { body } = this
    return typeof body === 'string' ? Buffer.from(body) : body
  }

  static of(value: unknown, meta?: ReplyMeta): Reply {
    return new Reply(JSON.stringify(value), meta)
  }
}

/** What an operation returned, as it leaves. */
export const toReply = (answer: unknown): Reply =>
  answer instanceof Reply ? answer : Reply.of(answer ?? null)
