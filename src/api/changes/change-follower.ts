import { setTimeout } from 'node:timers/promises'
import type { ChangeFeed, FeedListener } from '#src/api/changes/change-feed.ts'
import type { EventStream } from '#src/api/sse.ts'
import type { FollowedEvent, FollowedEvents } from '#src/storage/log/find-events.ts'

/** Which events are wanted; undefined: of all. */
export interface Wanted {
  item_ids?: readonly string[] | undefined
  tag_ids?: readonly string[] | undefined
  event_types?: readonly string[] | undefined
}

/** Events that one who is behind reads at once. */
const PAGE = 100
/** Milliseconds: what it reads from may be behind what the feed has read, as a replica may. */
const PAUSE = 20

/**
 * One listener. While it keeps up it is given what the feed reads; when its socket is full it leaves it, and once
 * it has drained it reads on from the log by itself: nothing waits for it in memory.
 */
export class ChangeFollower implements FeedListener {
  private readonly feed: ChangeFeed
  private readonly stream: EventStream
  private readonly read: (after: string, limit: number) => Promise<FollowedEvents>
  private readonly wanted: { key: 'item_id' | 'tag_id' | 'event_type'; values: Set<unknown> }[] = []
  /** The last event that it was given, or that was not for it. */
  private cursor: string

  constructor(
    feed: ChangeFeed,
    stream: EventStream,
    {
      cursor,
      wanted,
      read,
    }: { cursor: string; wanted: Wanted; read: (after: string, limit: number) => Promise<FollowedEvents> },
  ) {
    this.feed = feed
    this.stream = stream
    this.cursor = cursor
    this.read = read
    for (const key of ['item_id', 'tag_id', 'event_type'] as const) {
      const values = wanted[`${key}s`]
      if (values) this.wanted.push({ key, values: new Set<unknown>(values) })
    }
    stream.onClosed(() => feed.leave(this))
  }

  /** From the log, until it has caught up with the feed. */
  async catchUp(): Promise<void> {
    const { stream } = this
    while (!stream.closed.aborted) {
      await stream.drained()
      const { events, more, head } = await this.read(this.cursor, PAGE)
      const all = events.every((event) => this.send(event))
      if (!all || more) continue
      if (head > this.cursor) this.cursor = head
      // A cursor beyond the newest event is this follower's own: others are given what comes before it.
      if (this.feed.join(this, head)) {
        if (stream.closed.aborted) this.feed.leave(this)
        return
      }
      await setTimeout(PAUSE)
    }
  }

  take(event: FollowedEvent): void {
    if (event.event_id <= this.cursor) return
    if (this.wanted.every(({ key, values }) => values.has(event[key]))) {
      if (this.send(event)) return
      this.feed.leave(this)
      this.catchUp().catch(() => this.stream.close())
    } else this.cursor = event.event_id
  }

  /** False where the socket is full: it was not sent. */
  private send({ event_id, text }: FollowedEvent): boolean {
    if (this.stream.full) return false
    this.stream.send(text, 'audit', event_id)
    this.cursor = event_id
    return true
  }
}
