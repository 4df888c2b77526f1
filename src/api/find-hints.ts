import type { Caller } from '#src/domain/caller.ts'
import type { Reply } from '#src/domain/reply.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { findNearest, type Nearest } from '#src/operations/filters/find-nearest.ts'
import { findHint, type Hint } from '#src/operations/filters/find-hint.ts'

const MAX_HINTS = 3
/** Milliseconds that anyone who found nothing waits longer for the reason. */
const PATIENCE = 50
/** Milliseconds after which what is still being looked at is ended: what it warmed up serves the next one. */
const LONGEST = 500

/** Whether a search through a tool found nothing at all. */
export function foundNothing({ json, meta }: Reply, input: unknown): boolean {
  if (json !== '[]' || (meta?.total ?? 0) > 0) return false
  const { filter, view_id, as_of, after, skip, limit, count } = input as Record<string, unknown>
  // What is looked for is in the base as it is.
  if ((as_of ?? null) !== null) return false
  const isFirstPage = (after ?? null) === null && !skip
  return (
    isFirstPage &&
    (limit !== 0 || count === true) &&
    ((filter ?? null) !== null || (view_id ?? null) !== null)
  )
}

/** Which conditions of a filter find nothing by themselves: what is known of it in time (additions §12). */
export async function findHints(runtime: Runtime, caller: Caller, input: unknown): Promise<string[]> {
  const { filter, view_id, time_zone } = input as Record<string, unknown>
  const given = { ...(filter !== null && { filter }), ...(view_id !== null && { view_id }), time_zone }
  const patience = AbortSignal.timeout(PATIENCE)
  const longest = AbortSignal.timeout(LONGEST)
  const hints: string[] = []
  for (let index = 0; hints.length < MAX_HINTS; index++) {
    const found = await within(patience, async () => {
      const { json } = await runOperation(runtime, findHint, caller, { ...given, index }, longest)
      return JSON.parse(json) as Hint
    })
    if (found?.hint) hints.push(found.hint)
    if (!found?.more) break
  }
  return hints
}

/** Items that any of the words of its searches would have found: what is known of it in time (additions §13). */
export async function nearestItems(runtime: Runtime, caller: Caller, input: unknown): Promise<Nearest[]> {
  const { filter, view_id, time_zone } = input as Record<string, unknown>
  const given = { ...(filter !== null && { filter }), ...(view_id !== null && { view_id }), time_zone }
  const longest = AbortSignal.timeout(LONGEST)
  const found = await within(AbortSignal.timeout(PATIENCE), async () => {
    const { json } = await runOperation(runtime, findNearest, caller, given, longest)
    return JSON.parse(json) as Nearest[]
  })
  return found ?? []
}

/** Undefined when the time is over, or the condition could not be looked at: the search itself went well. */
async function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined
  const over = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([over, work().catch(() => undefined)])
}
