import type { EventStream } from '#src/api/sse.ts'
import { type LiveCursor, momentId } from '#src/operations/live/live-cursor.ts'
import type { LiveMessage, LiveSpan, ToldOfFilter } from '#src/operations/live/live-steps.ts'
import type { CachedFilter } from '#src/storage/live/cached-plans.ts'

export interface LiveStreamParts {
  filter: CachedFilter
  /** Of a view: the last change of its filter that is known. */
  version?: number | undefined
  /** The newest event when the filter was read. */
  read_at: string
  cursor: LiveCursor
  time_zone: string
  fields?: readonly string[] | undefined
  view?: { view_id: string; user_id: string } | undefined
  /** An id as the follower gets it. */
  toldId: (id: string) => string
}

/** One who follows a filter, and how far they are. What is sent while they read slowly waits as a list that all share. */
export class LiveStream {
  readonly view: LiveStreamParts['view']
  /** The hub is about to tell it something. */
  isLookedAt = false
  cursor: LiveCursor
  private readonly stream: EventStream
  private readonly time_zone: string
  private readonly fields: readonly string[] | undefined
  private readonly toldId: LiveStreamParts['toldId']
  private filter: CachedFilter
  private next: CachedFilter | undefined
  private version: number | undefined
  /** Until it has been looked at: from then on the cursor says it. */
  private read_at: string | undefined
  private sending = false
  private ready: () => void = () => {}

  constructor(stream: EventStream, parts: LiveStreamParts) {
    const { filter, version, read_at, cursor, time_zone, fields, view, toldId } = parts
    this.stream = stream
    this.filter = filter
    this.version = version
    this.read_at = read_at
    this.cursor = cursor
    this.time_zone = time_zone
    this.fields = fields
    this.view = view
    this.toldId = toldId
  }

  get isReady(): boolean {
    return !this.isLookedAt && !this.sending && !this.stream.closed.aborted
  }

  /** What is the same for streams that are sent the same. */
  get key(): string {
    const { filter, next, version = '', read_at = '', time_zone, fields, cursor } = this
    const moment = filter.timely ? cursor.moment : 0
    const { kind, id } = filter.limited ?? {}
    return `${kind} ${id} ${moment} ${version} ${read_at} ${time_zone} ${fields ? JSON.stringify(fields) : ''} ${next?.filter ?? ''} ${filter.filter}`
  }

  get followed(): LiveSpan['followed'][number] {
    const { filter, next, version, read_at, time_zone, fields, cursor } = this
    return { ...filter, next, version, read_at, time_zone, fields, moment: cursor.moment }
  }

  onClosed(done: () => void): void {
    this.stream.onClosed(done)
  }

  /** Called when it has taken what it was slow to take. */
  onReady(ready: () => void): void {
    this.ready = ready
  }

  close(): void {
    this.stream.close()
  }

  /** The view is not there any more. */
  end(reason: string): void {
    this.stream.send(JSON.stringify({ view_id: this.view!.view_id, reason }), 'end')
    this.stream.close()
  }

  /** Another filter takes the place of the one that is followed: what differs is reported with what happens next. */
  become({
    version,
    read_at,
    ...filter
  }: CachedFilter & { version?: number | undefined; read_at: string }): void {
    if (filter.filter !== (this.next ?? this.filter).filter) this.read_at = read_at
    this.version = version
    this.next = filter.filter === this.filter.filter ? undefined : filter
  }

  take({ messages: told, filter }: ToldOfFilter, items: readonly string[], cursor: LiveCursor): void {
    this.filter = { ...(this.next ?? this.filter), filter }
    this.next = undefined
    this.read_at = undefined
    this.cursor = cursor
    if ('count' in told) {
      const { version } = this
      const isMoment = this.filter.timely || version !== undefined
      const id = isMoment ? momentId({ ...cursor, version }) : cursor.event
      this.stream.send(JSON.stringify({ count: told.count }), 'reset', this.toldId(id))
    } else if (told.length) this.send(told, items)
  }

  private send(told: readonly LiveMessage[], items: readonly string[]): void {
    for (const [at, message] of told.entries()) {
      if (this.stream.full) return this.sendSlowly(told.slice(at), items)
      this.tell(message, items)
    }
  }

  private tell(message: LiveMessage, items: readonly string[]): void {
    const { kind, id } = message
    this.stream.send(textOf(message, items), kind, id && this.toldId(id))
  }

  private sendSlowly(told: readonly LiveMessage[], items: readonly string[]): void {
    this.sending = true
    const send = async () => {
      for (const message of told) {
        await this.stream.drained()
        this.tell(message, items)
      }
      await this.stream.drained()
      this.sending = false
      this.ready()
    }
    send().catch(() => this.stream.close())
  }
}

function textOf({ item, item_id, event_id, change_id }: LiveMessage, items: readonly string[]): string {
  const ids = JSON.stringify({ event_id, change_id })
  if (item === undefined) return `{"item_id":"${item_id}",${ids.slice(1)}`
  return `{"item":${items[item]!},${ids.slice(1)}`
}
