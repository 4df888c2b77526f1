import { firstUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { goesByTime } from '#src/filter/meaning/lasting-filter.ts'
import { momentAt, momentId, parseCursor } from '#src/operations/live/live-cursor.ts'
import { type Ring, ringsOf } from '#src/operations/notifications/rings.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { netEffects } from '#src/storage/live/net-effect.ts'
import {
  dropNotifications,
  notifyAll,
  type Unread,
  unreadOf,
} from '#src/storage/notifications/notifications.ts'
import {
  allWatches,
  moveWatchCursor,
  othersDidSince,
  renameInWatches,
  watchCursor,
  watchPairs,
  type WatchRow,
} from '#src/storage/notifications/watches.ts'

/** How many notifications of each of these accounts are unread. */
export const readUnread = defineStep({
  name: 'readUnread',
  effect: 'read',
  run: ({ db }, { user_ids }: { user_ids: readonly Ulid[] }): Promise<Unread[]> => unreadOf(db, user_ids),
})

/** They are kept so long. */
const RETENTION_MS = 90 * 24 * 60 * 60 * 1000
/** In one transaction. */
const AT_ONCE = 1000

/** Deletes some that are old; whether there may be more. */
export const sweepNotifications = defineStep<object, boolean>({
  name: 'sweepNotifications',
  effect: 'write',
  run: async ({ db, now }) =>
    (await dropNotifications(db, firstUlidAt(Math.max(0, now.getTime() - RETENTION_MS)), AT_ONCE)) ===
    AT_ONCE,
})

/** Items that may have changed for a view at once. */
const MOST_ITEMS = 10_000

/** What those who watch views are to be notified of, between two places of the log. */
interface Rings {
  from: string
  to: string
  told: Ring[]
  /** Filters that have other names from there on. */
  renamed: { from: string; to: string }[]
}

/** Null: nothing has happened. `watched`: whether anybody watches. Looked up without holding the writer, because it may take its time. */
export const findRings = defineStep({
  name: 'findRings',
  effect: 'read',
  async run({ db, now: at, time_zone }): Promise<{ watched: boolean; rings: Rings | null }> {
    const watches = await allWatches(db)
    const from = await watchCursor(db)
    const cursor = from === undefined ? null : parseCursor(from)
    if (!watches.length || from === undefined || !cursor) return { watched: false, rings: null }
    const { event: after, moment } = cursor
    const now = new Date(momentAt(at.getTime()))
    const byFilter = [...Map.groupBy(watches, ({ filter }) => filter)]
    const followed = byFilter.map(([filter]) => ({
      filter,
      timely: goesByTime(JSON.parse(filter)),
      time_zone,
      moment,
    }))
    const { head, effects, filters } = await netEffects(db, { after, followed, now, most: MOST_ITEMS })
    const passes = followed.some(({ timely }) => timely) && now.getTime() > moment
    if (head === after && !passes) return { watched: true, rings: null }
    const told: Ring[] = []
    for (const [i, [, own]] of byFilter.entries())
      for (const watch of own) {
        const isTooMuch = 'count' in effects[i]!
        const byOthers = isTooMuch && (await othersDidSince(db, later(after, watch), watch.user_id))
        told.push(...ringsOf(watch, effects[i]!, byOthers))
      }
    const renamed = byFilter.flatMap(([filter], i) =>
      filters[i] === filter ? [] : { from: filter, to: filters[i]! },
    )
    const to = momentId({ event: head, moment: Math.max(now.getTime(), moment) })
    return { watched: true, rings: { from, to, told, renamed } }
  },
})

const later = (after: Ulid, { since }: WatchRow): Ulid => (since > after ? since : after)

/** Notifies them, and records that they were notified, in one transaction. False: somebody has done so already. */
export const tellRings = defineStep({
  name: 'tellRings',
  effect: 'write',
  async run(context, { from, to, told, renamed }: Rings): Promise<boolean> {
    const { db } = context
    if ((await watchCursor(db)) !== from) return false
    await moveWatchCursor(db, to)
    for (const names of renamed) await renameInWatches(db, names)
    const there = new Set((await watchPairs(db)).map(({ user_id, view_id }) => `${user_id} ${view_id}`))
    await notifyAll(
      context,
      told.filter(({ user_id, news }) => there.has(`${user_id} ${news.about}`)),
    )
    return true
  },
})
