import { SERVICE } from '#src/domain/caller.ts'
import { readNewEvents } from '#src/operations/audit/audit-steps.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import type { FollowedEvent, FollowedEvents } from '#src/storage/log/find-events.ts'

/** Events in one read. */
const PAGE = 200
/** Milliseconds: what nobody reported (another process that was not heard, an operator's command) is found within them. */
const LOOK = 1000

/** Those who are given every new event, in order. */
export interface FeedListener {
  take(event: FollowedEvent): void
}

/** The one reader of new events in a process: however many listen, the log is read once. Nobody there costs nothing (decision 40). */
export class ChangeFeed {
  private readonly runtime: Runtime
  private readonly onError: (error: unknown) => void
  private readonly listeners = new Set<FeedListener>()
  /** The last event that the listeners have been given. */
  private position = ''
  private reading = false
  private again = false
  private timer: NodeJS.Timeout | undefined

  constructor(runtime: Runtime, onError: (error: unknown) => void) {
    this.runtime = runtime
    this.onError = onError
    runtime.services.changes.onChange(() => this.wake())
  }

  /** From now on it is given what follows `cursor`. False: it has to read on by itself first, for others are further. */
  join(listener: FeedListener, cursor: string): boolean {
    if (!this.listeners.size) this.position = cursor
    else if (cursor < this.position) return false
    this.listeners.add(listener)
    this.timer ??= setInterval(() => this.wake(), LOOK).unref()
    this.wake()
    return true
  }

  leave(listener: FeedListener): void {
    this.listeners.delete(listener)
    if (this.listeners.size) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private wake(): void {
    this.again = true
    if (this.reading || !this.listeners.size) return
    this.reading = true
    this.read().catch(this.onError)
  }

  private async read(): Promise<void> {
    try {
      await this.readOn()
    } finally {
      this.reading = false // in the same tick as the last look for what is new: nothing comes between
    }
  }

  private async readOn(): Promise<void> {
    while (this.again && this.listeners.size) {
      this.again = false
      const from = this.position
      const { json } = await runOperation(this.runtime, readNewEvents, SERVICE, { after: from, limit: PAGE })
      if (this.position !== from) {
        // All have left meanwhile, and one that is further back has joined: what it needs comes before this page.
        this.again = true
        continue
      }
      const { events, more } = JSON.parse(json) as FollowedEvents
      for (const event of events) {
        if (event.event_id > this.position) this.position = event.event_id
        for (const listener of this.listeners) listener.take(event)
      }
      if (more) this.again = true
    }
  }
}
