/** Milliseconds between two looks at whether the service is back. */
const FIRST_LOOK = 500
const LAST_LOOK = 5000

let gone = false
const listeners = new Set<() => void>()
let back: Promise<void> | undefined

export const serviceIsGone = (): boolean => gone

export function onServiceState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announce(now: boolean): void {
  gone = now
  for (const listener of listeners) listener()
}

/** Looks until the service answers again; all who wait share the looks. */
export function serviceBack(): Promise<void> {
  back ??= look().finally(() => {
    back = undefined
    announce(false)
  })
  return back
}

async function look(): Promise<void> {
  announce(true)
  for (let wait = FIRST_LOOK; ; wait = Math.min(wait * 2, LAST_LOOK)) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const answer = await fetch('/api/health').catch(() => null)
    if (answer?.ok) return
  }
}
