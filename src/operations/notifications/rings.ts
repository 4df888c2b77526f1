import type { Ulid } from '#src/domain/ulid.ts'
import type { Effect } from '#src/storage/live/net-effect.ts'
import type { LiveEvent } from '#src/storage/live/log-window.ts'
import type { News } from '#src/storage/notifications/notifications.ts'
import { watchOf, type WatchRow } from '#src/storage/notifications/watches.ts'

/** More items of a view than these in one change are reported as one. */
const MOST_APART = 20

export interface Ring {
  user_id: Ulid
  news: News
}

/** What one who watches is notified of. `byOthers`: whether anybody else has done something since they were looked at. */
export function ringsOf(
  watch: WatchRow,
  effects: readonly Effect[] | { count: number },
  byOthers: boolean,
): Ring[] {
  const { user_id, view_id } = watch
  const wanted = watchOf(watch)
  if ('count' in effects) {
    if (!byOthers || !effects.count) return []
    const kind = wanted.change ? 'change' : wanted.enter ? 'enter' : 'leave'
    return [{ user_id, news: { kind, about: view_id, done_by: null, count: effects.count } }]
  }
  const heard = effects.flatMap((effect) => {
    const event = wanted[effect.kind] ? eventOfOthers(effect, watch) : undefined
    return event === undefined ? [] : { effect, event }
  })
  const byChange = Map.groupBy(heard, ({ event }) => event?.change_id ?? null)
  return [...byChange].flatMap(([change_id, own]) =>
    newsOf(own).map((news) => ({ user_id, news: { ...news, about: view_id, change_id } })),
  )
}

interface Heard {
  effect: Effect
  /** Null: the time did it. */
  event: LiveEvent | null
}

function newsOf(own: readonly Heard[]): Omit<News, 'about'>[] {
  if (own.length <= MOST_APART)
    return own.map(({ effect: { kind, item_id }, event }) => ({
      kind,
      item_id,
      done_by: event?.user_id ?? null,
    }))
  const [most] = [...Map.groupBy(own, ({ effect }) => effect.kind)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  return [{ kind: most![0], count: own.length, done_by: own[0]!.event?.user_id ?? null }]
}

/** The last event by somebody else, after the watch began; undefined: there is none. */
function eventOfOthers({ event, own }: Effect, { user_id, since }: WatchRow): LiveEvent | null | undefined {
  if (event === null) return null
  return [...own, event].findLast((each) => each.user_id !== user_id && each.event_id > since)
}
