import { Reply } from '#src/domain/reply.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import { lookAtFilters, type LiveMessage, type LiveSpan } from '#src/operations/live/live-steps.ts'
import { readNewEvents } from '#src/operations/audit/audit-steps.ts'
import type { FollowedEvents } from '#src/storage/log/find-events.ts'
import type { SimulatedTime } from '#test/simulation/simulated-time.ts'

export interface SimulatedEvent {
  id: string
  item: number
  /** By filter, whether the item satisfies it from this event on. */
  holds: readonly boolean[]
}

const ID_LENGTH = 26
const idOf = (number: number): string => String(number).padStart(ID_LENGTH, '0')
export const itemId = (item: number): string => idOf(item).replace(/^0/, '7')

/** A log of events of items, and what a base answers by it, as of a moment within the read. */
export class SimulatedLog {
  readonly events: SimulatedEvent[] = []
  private readonly time: SimulatedTime
  private readonly fails: number

  /** `fails`: how probably a read does. */
  constructor(time: SimulatedTime, fails: number) {
    this.time = time
    this.fails = fails
  }

  /** From now on nothing fails. */
  calm = false

  append(item: number, holds: readonly boolean[]): void {
    this.events.push({ id: idOf(this.events.length + 1), item, holds })
  }

  get head(): string {
    return this.events.at(-1)?.id ?? idOf(0)
  }

  /** The items that satisfy a filter behind an event. */
  holding(filter: number, at = this.head): Set<number> {
    const found = new Set<number>()
    for (const { id, item, holds } of this.events) {
      if (id > at) break
      if (holds[filter]) found.add(item)
      else found.delete(item)
    }
    return found
  }

  async read({ name, input }: SqlCall): Promise<Reply> {
    await this.time.pause(this.time.latency(60))
    if (!this.calm && this.time.chance.is(this.fails)) throw new Error('the database is away')
    const answer =
      name === readNewEvents.name
        ? this.newEvents(input as { after: string; limit: number })
        : name === lookAtFilters.name
          ? this.look((input as { spans: LiveSpan[] }).spans)
          : undefined
    if (!answer) throw new Error(`the simulated base does not know ${name}`)
    const reply = Reply.of(answer)
    await this.time.pause(this.time.latency(60))
    return reply
  }

  newEvents({ after, limit }: { after: string; limit: number }): FollowedEvents {
    const behind = this.events.filter(({ id }) => id > after)
    const events = behind.slice(0, limit).map(({ id, item }) => ({
      event_id: id,
      event_type: 'item_updated',
      item_id: itemId(item),
      tag_id: null,
      text: id,
    }))
    return { events, more: behind.length > limit, head: this.head }
  }

  private look(spans: readonly LiveSpan[]) {
    const items: string[] = []
    return {
      moment: 0,
      last_filter_change: 0,
      items,
      spans: spans.map(({ after, followed }) => ({
        head: this.head,
        told: followed.map(({ filter }) =>
          this.lags() ? null : { messages: this.effects(Number(filter), after, items), filter },
        ),
      })),
    }
  }

  /** As a replica may, behind what is known of a filter. */
  private lags(): boolean {
    return !this.calm && this.time.chance.is(0.1)
  }

  /** What differs behind an event, item by item, in the order of their last events. */
  private effects(filter: number, after: string, items: string[]): LiveMessage[] {
    const [before, now] = [this.holding(filter, after), this.holding(filter)]
    const windows = new Map<number, { first: string; last: string }>()
    for (const { id, item } of this.events)
      if (id > after) windows.set(item, { first: windows.get(item)?.first ?? id, last: id })
    const told = [...windows]
      .filter(([item]) => before.has(item) || now.has(item))
      .toSorted(([, a], [, b]) => (a.last < b.last ? -1 : 1))
    return told.map(([item, { last }]) => {
      const kind = !now.has(item) ? 'leave' : before.has(item) ? 'change' : 'enter'
      if (kind !== 'leave') items.push(String(item))
      // Who goes on from it has heard of all that happened until then.
      const isWhole = [...windows.values()].every((each) => each.last <= last || each.first > last)
      return {
        kind,
        item_id: itemId(item),
        event_id: last,
        change_id: last,
        ...(kind !== 'leave' && { item: items.length - 1 }),
        ...(isWhole && { id: last }),
      }
    })
  }
}
