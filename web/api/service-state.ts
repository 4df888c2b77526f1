import { Slot, useSlot } from '#web/store.ts'

/** Milliseconds between two polls for whether the service is back. */
const FIRST_POLL = 500
const LAST_POLL = 5000

/** While the service does not answer: settles when it does. */
const back = new Slot<Promise<void> | null>('service_back', 'page', () => null)

export const serviceIsGone = (): boolean => back.get() !== null
export const useServiceIsGone = (): boolean => useSlot(back, (waited) => waited !== null)

/** Polls until the service answers again; all who wait share the polls. */
export function serviceBack(): Promise<void> {
  const waited = back.get() ?? poll().finally(() => back.set(null))
  back.set(waited)
  return waited
}

/** Whether it answers now, and not something in between that answers everything. */
export async function serviceAnswers(): Promise<boolean> {
  const answer = await fetch('/api/health', { cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return false
  return answer.json().then(
    () => true,
    () => false,
  )
}

async function poll(): Promise<void> {
  for (let wait = FIRST_POLL; ; wait = Math.min(wait * 2, LAST_POLL)) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    if (await serviceAnswers()) return
  }
}
