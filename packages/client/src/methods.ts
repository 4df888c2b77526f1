import type { Answer, CallOptions } from './call.ts'
import type { FileCalls } from './files.ts'
import type { ChangesOptions } from './follow-changes.ts'
import type { LiveEvent, LiveOptions } from './follow-live.ts'
import type { AuditEvent, Operations, Proposal } from './operations.ts'
import type { DecisionOptions, ProposeOptions } from './propose.ts'
import type { ClientTags, GivenTag, TagValues, Written } from './tag-values.ts'

type Method = keyof Operations
export type InputOf<M extends Method> = Operations[M]['input']
type Calling = { [M in Method]: Operations[M] extends { output: unknown } ? M : never }[Method]
type Streaming = Exclude<Method, Calling>
export type OutputOf<M extends Method> = Operations[M] extends { output: infer O } ? O : never
type EventOf<M extends Method> = Operations[M] extends { event: infer E } ? E : never

/** Operations whose answer comes in pages. */
export type PagedMethod = {
  [M in Calling]: OutputOf<M> extends readonly unknown[]
    ? 'limit' extends keyof InputOf<M>
      ? M
      : never
    : never
}[Calling]
type ElementOf<M extends Method> = OutputOf<M> extends readonly (infer E)[] ? E : never

/** Where nothing of the input is required, it may be left out. */
type Words<I, O = CallOptions> = {} extends I ? [input?: I, options?: O] : [input: I, options?: O]

type Calls = { [M in Calling]: (...words: Words<InputOf<M>>) => Promise<OutputOf<M>> }
type Streams = {
  [M in Streaming]: (...words: Words<InputOf<M>>) => AsyncGenerator<EventOf<M>, void, undefined>
}

/** A client of one base. `Tags` is what `facet types` prints of it. */
export interface Facet<Tags extends ClientTags<Tags> = Record<string, TagValues>>
  extends Calls, Streams, FileCalls {
  /** As the method of the name, but with what the headers say: cursor, total, warnings, change. */
  call<M extends Calling>(method: M, ...words: Words<InputOf<M>>): Promise<Answer<OutputOf<M>>>
  /** The elements of a list, page by page. */
  pages<M extends PagedMethod>(
    method: M,
    ...words: Words<InputOf<M>>
  ): AsyncGenerator<ElementOf<M>, void, undefined>
  /** What happens in the base, event by event, also over lost connections. */
  changes(options?: ChangesOptions): AsyncGenerator<AuditEvent, void, undefined>
  /** The same, by the name that the API's document gives it. */
  followChanges(options?: ChangesOptions): AsyncGenerator<AuditEvent, void, undefined>
  /** What comes into a filter or a view, changes in it and leaves it, also over lost connections. */
  live(options: LiveOptions): AsyncGenerator<LiveEvent, void, undefined>
  /** The same, by the names that the API's document gives it. */
  followItems(options: LiveOptions): AsyncGenerator<LiveEvent, void, undefined>
  followView(options: LiveOptions): AsyncGenerator<LiveEvent, void, undefined>
  /** Keeps changes until somebody accepts or refuses them: nothing is changed yet. */
  propose(operations: InputOf<'proposeChanges'>['operations'], options?: ProposeOptions): Promise<Proposal>
  /** Waits until somebody has decided on a proposal. */
  decision(proposal_id: string, options?: DecisionOptions): Promise<Proposal>
  /** Items as a file, as it is read: CSV, JSON Lines, or notes in a zip. One that was cut off rejects while it is read. */
  exportItems(input: ExportInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
  /** The values that an item has for a tag; undefined where it does not have the tag. */
  values<T extends keyof Tags & string>(item: TaggedItem, tag: T): Tags[T] | undefined
  /** A tag with its values, as createItem takes it. */
  tag<T extends keyof Tags & string>(tag: T, values?: Written<Tags[T]>): GivenTag
}

export interface ExportInput extends Pick<
  InputOf<'searchItems'>,
  'filter' | 'view_id' | 'sort' | 'fields' | 'as_of'
> {
  format: 'csv' | 'jsonl' | 'markdown'
}

/** What of an item says which tags it has. */
export interface TaggedItem {
  data?: AppliedTags
  /** So it is in lists. */
  tags?: AppliedTags
}

type AppliedTags = Readonly<Record<string, { tag_name: string; field_values: object }>>
