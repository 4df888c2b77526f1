import { defineStep } from '#src/runtime/step.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { followEvents, type FollowedEvents } from '#src/storage/log/find-events.ts'

export interface NewEventsQuery {
  /** Exclusive; null: only how far the log is. */
  after: Ulid | null
  limit: number
  item_ids?: readonly Ulid[] | undefined
  tag_ids?: readonly Ulid[] | undefined
  event_types?: readonly string[] | undefined
}

/** The events after one, oldest first. */
export const readNewEvents = defineStep({
  name: 'readNewEvents',
  effect: 'read',
  run: ({ db }, { after, ...wanted }: NewEventsQuery): Promise<FollowedEvents> =>
    followEvents(db, after === null ? null : { ...wanted, after_event: after }),
})
