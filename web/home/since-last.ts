/** Where a person has read up to, in this browser. */
const keyOf = (user_id: string) => `facet.seen.${user_id}`
/** Milliseconds in which coming back to the page is the same visit. */
const VISIT = 30 * 60_000

let visit: { user_id: string; since: string | null } | undefined

/** When this person was last here before this visit; null: never, in this browser. */
export function lastHere(user_id: string, now = Date.now()): string | null {
  if (visit?.user_id !== user_id) {
    const kept = localStorage.getItem(keyOf(user_id))
    const [since, seen] = kept?.split(' ') ?? []
    const isSameVisit = seen !== undefined && now - Date.parse(seen) < VISIT
    visit = { user_id, since: (isSameVisit ? since : seen) || null }
  }
  localStorage.setItem(keyOf(user_id), `${visit.since ?? ''} ${new Date(now).toISOString()}`)
  return visit.since
}
