import { useSyncExternalStore } from 'react'
import css from '#web/parts/live-region.module.css'

let said = { text: '', turn: 0 }
const listeners = new Set<() => void>()

/** Says something to anyone who listens instead of looking: counts, saves, undone. */
export function say(text: string): void {
  said = { text, turn: said.turn + 1 }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The one polite region of the application. */
export function LiveRegion() {
  const { text, turn } = useSyncExternalStore(subscribe, () => said)
  // The same words twice are said twice.
  return (
    <div className={css.hidden} role="status" aria-live="polite">
      {turn % 2 ? text : `${text}\u00A0`}
    </div>
  )
}
