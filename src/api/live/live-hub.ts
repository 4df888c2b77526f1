import { tooManyRequests } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { isTooLong } from '#src/engine/ended.ts'
import type { LiveStream } from '#src/api/live/live-stream.ts'
import {
  findFollowedViews,
  type LiveAnswer,
  type LiveSpan,
  lookAtFilters,
} from '#src/operations/live/live-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

/** Milliseconds: what nobody reported (another process that was not heard, a view that was changed) is found within them. */
const LOOK = 1000

/** Of the filters that a user's streams follow: each look hands them to a reader. */
const MAX_BYTES = 8 * 2 ** 20
/** Seconds. */
const RETRY_AFTER = 30

interface Joining {
  /** Something may have happened since it was there. */
  isBehind: boolean
  user_id: Ulid
  /** Of its filter. */
  bytes: number
}

/** Streams that are looked at together: those of one filter, from one event on. */
interface Cohort {
  streams: LiveStream[]
  followed: LiveSpan['followed'][number]
}

/**
 * All streams of filters in a process. Whenever something has happened, the filters are looked at once, however many
 * streams follow each (decision 137). A stream whose client is behind is left alone until it has taken what it has.
 */
export class LiveHub {
  private readonly runtime: Runtime
  private readonly onError: (error: unknown) => void
  private readonly streams = new Set<LiveStream>()
  private readonly bytes = new Map<Ulid, number>()
  private running = false
  private again = false
  private timer: NodeJS.Timeout | undefined
  private viewsAreDue = true
  /** The last change of a view's filter that all streams know of. */
  private lastFilterChange = -1

  constructor(runtime: Runtime, onError: (error: unknown) => void) {
    this.runtime = runtime
    this.onError = onError
    runtime.services.changes.onChange(() => this.wake())
  }

  /** @throws TooManyRequests where the filters that a user follows are too long together */
  checkRoom(user_id: Ulid, bytes: number): void {
    if ((this.bytes.get(user_id) ?? 0) + bytes <= MAX_BYTES) return
    throw tooManyRequests(
      `The filters that your open streams follow take at most ${MAX_BYTES} bytes together: close one first, or ` +
        'follow a shorter filter',
      RETRY_AFTER,
    )
  }

  private count(user_id: Ulid, bytes: number): void {
    const left = (this.bytes.get(user_id) ?? 0) + bytes
    if (left) this.bytes.set(user_id, left)
    else this.bytes.delete(user_id)
  }

  /** What has happened since it was there is found out by itself, so that nobody waits for it. */
  join(stream: LiveStream, { isBehind, user_id, bytes }: Joining): void {
    this.streams.add(stream)
    this.count(user_id, bytes)
    stream.onClosed(() => this.count(user_id, -bytes))
    if (stream.view) this.lastFilterChange = -1 // it may have happened since the stream was begun
    this.timer ??= setInterval(() => this.tick(), LOOK).unref()
    stream.onClosed(() => this.leave(stream))
    stream.onReady(() => this.catchUp(stream))
    if (isBehind) this.catchUp(stream)
    else this.wake()
  }

  private leave(stream: LiveStream): void {
    this.streams.delete(stream)
    if (this.streams.size) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private tick(): void {
    this.viewsAreDue = true
    this.wake()
  }

  private wake(): void {
    this.again = true
    if (this.running || !this.streams.size) return
    this.running = true
    this.run()
      .catch(this.onError)
      .finally(() => (this.running = false))
  }

  private async run(): Promise<void> {
    while (this.again && this.streams.size) {
      this.again = false
      if (this.viewsAreDue) await this.lookAtViews()
      await this.lookAtAll([...this.streams].filter((each) => each.isReady))
    }
  }

  /** A filter that cannot be looked at ends its own streams, and no others. */
  private async lookAtAll(streams: readonly LiveStream[]): Promise<void> {
    try {
      await this.poll(streams)
    } catch (error) {
      this.onError(error)
      for (const alike of Map.groupBy(streams, ({ key }) => key).values())
        await this.pollOrReset(alike).catch(() => {
          for (const each of alike) each.close() // its client comes back with the last id that it has
        })
    }
  }

  private catchUp(stream: LiveStream): void {
    if (!stream.isReady) return
    this.pollOrReset([stream])
      .then(() => this.wake())
      .catch((error: unknown) => {
        stream.close() // its client comes back with the last id that it has
        this.onError(error)
      })
  }

  /** Whose look takes too long has to search again: to come back with the last id would take as long each time. */
  private async pollOrReset(streams: readonly LiveStream[]): Promise<void> {
    try {
      await this.poll(streams)
    } catch (error) {
      if (!isTooLong(error)) throw error
      await this.poll(streams, 0)
    }
  }

  /** All of them are busy meanwhile. Where more than `most` items have changed, that is all they are told. */
  private async poll(streams: readonly LiveStream[], most?: number): Promise<void> {
    if (!streams.length) return
    const spans = spansOf(streams)
    for (const each of streams) each.isLookedAt = true
    try {
      const input = {
        spans: spans.map(({ after, cohorts }) => ({
          after,
          followed: cohorts.map(({ followed }) => followed),
        })),
        ...(most !== undefined && { most }),
      }
      const answer: LiveAnswer = await runStep(this.runtime, lookAtFilters, input)
      if (await this.hasOtherFilters(answer)) {
        this.again = true // what was found out went by filters of before
        return
      }
      for (const [i, { cohorts }] of spans.entries()) {
        const { head, told } = answer.spans[i]!
        for (const [n, { streams: own }] of cohorts.entries()) {
          const found = told[n]
          if (!found) continue // found by the next look, or one of the next
          for (const stream of own) {
            const moment = Math.max(answer.moment, stream.cursor.moment)
            stream.take(found, answer.items, { event: head, moment })
          }
        }
      }
    } finally {
      for (const each of streams) each.isLookedAt = false
    }
  }

  /** Whether a view got another filter before this was checked: nothing that comes after it is reported by the former one. */
  private async hasOtherFilters({ last_filter_change }: LiveAnswer): Promise<boolean> {
    if (last_filter_change === this.lastFilterChange) return false
    await this.lookAtViews()
    this.lastFilterChange = last_filter_change
    return [...this.streams].some(({ view }) => view)
  }

  /** A view may have another filter, or be gone. */
  private async lookAtViews(): Promise<void> {
    this.viewsAreDue = false
    const streams = [...this.streams].filter(({ view }) => view)
    if (!streams.length) return
    const views = await runStep(this.runtime, findFollowedViews, { views: streams.map(({ view }) => view!) })
    for (const [i, view] of views.entries())
      if ('end' in view) streams[i]!.end(view.end)
      else streams[i]!.become(view)
  }
}

function spansOf(streams: readonly LiveStream[]): { after: string; cohorts: Cohort[] }[] {
  const spans = Map.groupBy(streams, ({ cursor }) => cursor.event)
  return [...spans].map(([after, own]) => ({
    after,
    cohorts: [...Map.groupBy(own, (stream) => stream.key).values()].map((alike) => ({
      streams: alike,
      followed: alike[0]!.followed,
    })),
  }))
}
