import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Services } from '#src/runtime/services.ts'
import type { Db } from '#src/sql/query.ts'
import type { WorkRecorder } from '#src/storage/large/recorded-work.ts'
import type { AuditEvent } from '#src/storage/log/audit-log.ts'
import type { OpenChange } from '#src/storage/changes/open-change.ts'

/** Who may call it: anybody, a session that may still owe its second factor, a full session. */
export type Access = 'none' | 'partial' | 'user'

/**
 * What the caller must be allowed to do (additions §1). `base`: read the base, or change it; `own`: read or change what
 * is their own; `owner`: what only owners may.
 */
export type Needs = 'base' | 'own' | 'owner'

/** What a `read` or `write` gets. It awaits nothing but SQL. */
export interface SqlContext {
  db: Db
  caller: Caller
  /** The time of the call. */
  now: Date
  /** Where it is today: `time_zone` of the input, else that of the service. */
  time_zone: string
  newId: () => string
  /** What the call changes: its events share the id. Stored with the first event that is recorded. */
  change: OpenChange
  /** Characters after which a page of a list ends early; without it, MAX_PAGE_TEXT. */
  page_text?: number | undefined
  /** What the operation's `plan` answered, read without holding the writer: it may have become untrue since; in `plan` the head of what it answered before. JSON text. */
  planned?: string | undefined
  /** Of a part of a batch: what its filter selected where the batch was tried out, and what others have changed since. */
  found?: FoundBefore | undefined
  /** Others wait for it: what takes long is answered with 'overtaken', and is found beside them again. */
  soon?: true
  /** Where a batch is tried out: takes what its filters select. */
  onFound?: ((found: { items: readonly number[]; ms: number }) => void) | undefined
  /** Where the call is only recorded, to be carried out later: `db` records too. */
  recorder?: WorkRecorder | undefined
  /** All of its input came in a body, as in a batch: also what its route has in the path. */
  in_body?: boolean
  /** It is part of a batch that is only tried out: its answer says what that of a dry run does. */
  tried?: true | undefined
  /** It is carried out where nothing of it stays: its events are counted, and not recorded. */
  scratch?: true | undefined
  /** Of a change that is only tried out: takes its events. */
  onEvents?: ((events: readonly AuditEvent[]) => void) | undefined
  /** Filters with warnings may change things, through tools too (further §18). */
  allow_warnings?: boolean
  /** Examples that bulk changes show of what becomes of items. */
  sample?: number
  /** Items that the call has changed; kept where the caller may change only this many. */
  changed?: Set<Ulid>
}

/** What a filter selected without holding the writer. */
export interface FoundBefore {
  /** Row ids, oldest first. */
  items: readonly number[]
  /** Items that others have changed since, by id, with their row ids. */
  changed: ReadonlyMap<Ulid, number>
}

/** What a `compose` gets. */
export interface ComposeContext {
  caller: Caller
  now: Date
  services: Services
  /** Runs a step, or another operation, for the same caller (or for `as`), without access check or validation. */
  call: Call
  /** As `call` of a step; the answer is not read, because it may be long, and its metadata comes along. */
  text: <I extends object, O>(step: Step<I, O>, input: I) => Promise<Reply>
  /**
   * As `text`, of a change behind which the operation waits for what it began: meanwhile, and where the process ends,
   * its answer is what is repeated under an Idempotency-Key. `replayed`: another process was faster.
   */
  begin: <I extends object>(step: Step<I, Reply>, input: I) => Promise<Reply>
  /** What was begun has failed by itself: its answer is repeated no longer. */
  forget: () => Promise<void>
}

interface Call {
  <I extends object, O>(step: Step<I, O>, input: I, as?: Caller): Promise<O>
  <I extends TObject, O extends TSchema>(
    operation: Operation<I, O>,
    input: Static<I>,
    as?: Caller,
  ): Promise<Static<O>>
}

/** How a tool is described to a model (MCP annotations). */
export interface ToolHints {
  /** Changes nothing; without it, what has the effect `read`. */
  readOnly?: boolean
  destructive?: boolean
  idempotent?: boolean
}

/** What an operation reads or changes, whose state is its `updated_at`. */
export interface Conditional {
  /** The entity that an input names, as it is answered; undefined where it is absent. @throws NotFound */
  present(context: SqlContext, input: Record<string, unknown>): Promise<unknown>
}

interface Definition<I extends TObject, O extends TSchema> {
  /** The name of the export and the file; the operationId in OpenAPI. */
  name: string
  /** One sentence. */
  summary: string
  /** More, in Markdown, where the summary and the schemas do not say it all. */
  description?: string
  /** What the tool says in place of `description`. */
  tool_description?: string
  access: Access
  /** Without it `base`. */
  needs?: Needs
  /** Readers too may do it, though it changes something: it changes nothing of the base by itself. */
  every_role?: true
  /**
   * What becomes of it where a caller may only propose (further §16): a change of the base is kept as a proposal, and
   * what is not of the base refused, but for what says otherwise here.
   */
  for_proposers?: 'as_ever' | 'refused'
  /**
   * Asks for a session that has proved itself lately (additions §11): always, or where FRESH_PROOF is `all`. What only
   * owners change asks for it anyhow.
   */
  fresh?: 'always' | 'all'
  /** Where it depends on what an input names whether only owners change it: a step that answers that, so of such a change. */
  changes_as_owner?: Step<object, boolean>
  /** `POST /api/items/search`; path parameters in braces. Several where a route has two names. */
  rest?: string | readonly string[]
  /** Keys and apps that see a part of the base reach it, too (further §17): it looks at what they see alone. */
  in_part?: true
  /** Name of the tool in MCP and chat. */
  tool?: string
  hints?: ToolHints
  input: I
  output: O
  /** The input is the body as it is: without one there is none, and nothing of the query is part of it. */
  is_body?: true
  /** Body properties that are accepted and ignored: read-only ones, so that what was read can be sent back. */
  ignores?: readonly string[]
  /** What it reads or changes has an ETag: its `updated_at`; a change can be meant for one state alone (additions §5). */
  conditional?: Conditional
  /** Its tool takes `idempotency_key` (additions §5). */
  retryable?: boolean
  /** The answer is a list that can be had in pages by `limit` and `after`; without `limit` it is streamed whole. */
  paged?: boolean
  /** It is answered with 202 where it takes longer than a request should. */
  accepts?: true
  /** It answers 201 where it made something. */
  creates?: true
  /** Error codes besides those that every operation can answer, for the documentation. */
  errors?: readonly string[]
  /** Example inputs and output for the documentation. */
  example?: { input?: unknown; output?: unknown }
}

export interface SqlOperation<I extends TObject = TObject, O extends TSchema = TSchema> extends Definition<
  I,
  O
> {
  /** SQL alone, run in the engine. */
  effect: 'read' | 'write'
  /** A read by key: it runs on the main thread, because a hop to another one would cost more than the read. */
  inline?: boolean | ((input: Static<I>) => boolean)
  /** It may work on very many items: it has the time of a change, and ends when its client leaves. */
  long?: boolean
  /**
   * Of a change: what is slow to find out, read before the writer has its turn; `run` gets it as `planned`, where it
   * is called by itself. It checks that this still holds, and answers `rolledBack('overtaken')` where it cannot be mended.
   */
  plan?(context: SqlContext, input: Static<I>): Promise<object | Reply>
  /**
   * Of a change with a plan: writes what was planned of it, as far as that still holds, before it has its turn, on the
   * connection of `run`, which takes it over (decision 110). Nothing is read then as it was before the change.
   */
  ahead?(context: SqlContext, input: Static<I>): Promise<void>
  run(context: SqlContext, input: Static<I>): Promise<Static<O> | Reply>
}

export interface ComposeOperation<
  I extends TObject = TObject,
  O extends TSchema = TSchema,
> extends Definition<I, O> {
  /** Runs on the main thread and calls others. */
  effect: 'compose'
  run(context: ComposeContext, input: Static<I>): Promise<Static<O> | Reply>
}

export type Operation<I extends TObject = TObject, O extends TSchema = TSchema> =
  | SqlOperation<I, O>
  | ComposeOperation<I, O>

/**
 * SQL that operations call and no interface ever does, so that its input is checked already: types in place of
 * schemas, no words for anybody outside. Input and answer are JSON, because they may go to another thread.
 */
export interface Step<I extends object = object, O = unknown> {
  /** The name of the export and the file. */
  name: string
  effect: 'read' | 'write'
  /**
   * Of a change of who may do what, and of what lets them in: what the caller must still be allowed when it has its turn.
   * It may have waited alongside what ended the caller's session, or rights.
   */
  still?: 'own' | 'owner'
  /** As in an operation: a read by key that runs where it is called. */
  inline?: boolean
  /** As in an operation: of very many items. */
  long?: boolean
  /** Of a read that no account asks for: a replica that lags behind may answer it, for it goes on where it was. */
  late?: boolean
  /** With this input nothing of it is to stay: it is carried out where nobody waits for it, and taken back. */
  isDryRun?(input: I): boolean
  /** As in an operation, but carried out as a dry run is: what it does meanwhile is taken back. */
  plan?(context: SqlContext, input: I): Promise<object | Reply>
  /** Whether this input is worth that. */
  isPlanned?(input: I): boolean
  /** As in an operation, but what was planned is part of the input. */
  ahead?(context: SqlContext, input: I): Promise<void>
  /** Whether this input is worth that. */
  isAhead?(input: I): boolean
  run(context: SqlContext, input: I): Promise<O | Reply>
}

/** Gives `run` the types of the schemas; the definition itself comes back as it is. */
export function defineOperation<I extends TObject, O extends TSchema>(
  definition: SqlOperation<I, O>,
): SqlOperation<I, O>
export function defineOperation<I extends TObject, O extends TSchema>(
  definition: ComposeOperation<I, O>,
): ComposeOperation<I, O>
export function defineOperation<I extends TObject, O extends TSchema>(
  definition: Operation<I, O>,
): Operation<I, O> {
  return definition
}

/** The same of a step. */
export const defineStep = <I extends object, O>(definition: Step<I, O>): Step<I, O> => definition
