import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/runtime/step.ts'
import { type Unread, unreadOf } from '#src/storage/notifications/notifications.ts'

/** How many notifications of each of these accounts are unread. */
export const readUnread = defineStep({
  name: 'readUnread',
  effect: 'read',
  run: ({ db }, { user_ids }: { user_ids: readonly Ulid[] }): Promise<Unread[]> => unreadOf(db, user_ids),
})
