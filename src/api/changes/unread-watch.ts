import type { EventStream } from '#src/api/sse.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { readUnread } from '#src/operations/notifications/notification-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

/** Milliseconds between two looks, however much happens. */
const PAUSE = 250
/** Milliseconds: what nobody reported (another process that was not heard) is found within them. */
const LOOK = 10_000

/** Tells the streams that ask for it how many notifications of their account are unread, whenever that changes. */
export class UnreadWatch {
  private readonly runtime: Runtime
  private readonly onError: (error: unknown) => void
  /** What each stream was sent last. */
  private readonly streams = new Map<EventStream, { user_id: Ulid; told: string }>()
  private timer: NodeJS.Timeout | undefined
  private resting = false
  private again = false

  constructor(runtime: Runtime, onError: (error: unknown) => void) {
    this.runtime = runtime
    this.onError = onError
    runtime.services.notifications.onChange(() => this.wake())
  }

  join(stream: EventStream, user_id: Ulid): void {
    this.streams.set(stream, { user_id, told: '' })
    this.timer ??= setInterval(() => this.wake(), LOOK).unref()
    stream.onClosed(() => this.leave(stream))
    this.poll([user_id]).catch(this.onError)
  }

  private leave(stream: EventStream): void {
    this.streams.delete(stream)
    if (this.streams.size) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private wake(): void {
    if (!this.streams.size) return
    this.again = this.resting
    if (this.resting) return
    this.resting = true
    this.poll([...new Set([...this.streams.values()].map(({ user_id }) => user_id))])
      .catch(this.onError)
      .finally(() => setTimeout(() => this.rested(), PAUSE).unref())
  }

  private rested(): void {
    this.resting = false
    if (this.again) this.wake()
  }

  private async poll(user_ids: readonly Ulid[]): Promise<void> {
    const unread = await runStep(this.runtime, readUnread, { user_ids })
    for (const { user_id, ...counts } of unread) {
      const told = JSON.stringify(counts)
      for (const [stream, known] of this.streams) {
        if (known.user_id !== user_id || known.told === told) continue
        known.told = told
        stream.send(told, 'notifications')
      }
    }
  }
}
