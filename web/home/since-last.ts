import { KeyedSlot } from '#web/store.ts'

/** Where a person has read up to, in this browser. */
const keyOf = (user_id: string) => `facet.seen.${user_id}`
/** Milliseconds in which coming back to the page is the same visit. */
const VISIT = 30 * 60_000

const visits = new KeyedSlot<string, string | null>('visits', 'account')

/** When this person was last here, or looked at one view, before this visit; null: never, in this browser. */
export function lastHere(user_id: string, view_id?: string, now = Date.now()): string | null {
  const key = keyOf(view_id === undefined ? user_id : `${user_id}.${view_id}`)
  if (!visits.has(key)) {
    const [since, seen] = localStorage.getItem(key)?.split(' ') ?? []
    const isSameVisit = seen !== undefined && now - Date.parse(seen) < VISIT
    visits.set(key, (isSameVisit ? since : seen) || null)
  }
  const since = visits.get(key) ?? null
  localStorage.setItem(key, `${since ?? ''} ${new Date(now).toISOString()}`)
  return since
}
