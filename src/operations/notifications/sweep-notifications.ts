import { firstUlidAt } from '#src/domain/ulid.ts'
import { defineStep } from '#src/runtime/step.ts'
import { dropNotifications } from '#src/storage/notifications/notifications.ts'

/** They are kept so long. */
const KEPT = 90 * 24 * 60 * 60 * 1000
/** In one transaction. */
const AT_ONCE = 1000

/** Deletes some that are old; whether there may be more. */
export const sweepNotifications = defineStep<object, boolean>({
  name: 'sweepNotifications',
  effect: 'write',
  run: async ({ db, now }) =>
    (await dropNotifications(db, firstUlidAt(Math.max(0, now.getTime() - KEPT)), AT_ONCE)) === AT_ONCE,
})
