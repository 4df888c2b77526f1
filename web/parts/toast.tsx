import { useSyncExternalStore } from 'react'
import { Button, IconButton } from '#web/parts/button.tsx'
import { say } from '#web/parts/live-region.tsx'
import css from '#web/parts/toast.module.css'

export interface Toast {
  text: string
  kind?: 'plain' | 'danger'
  /** E.g. Undo. */
  action?: { label: string; run: () => void }
}

interface Shown extends Toast {
  id: number
}

/** Milliseconds; with something to press it stays longer, and what went wrong stays until it is closed. */
const SHORT = 5000
const LONG = 10_000
const MOST = 3

let shown: readonly Shown[] = []
let last = 0
const listeners = new Set<() => void>()

function show(next: readonly Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Says at the edge of the page what has happened. */
export function toast(given: Toast): void {
  const id = ++last
  show([...shown.slice(1 - MOST), { ...given, id }])
  say(given.text)
  if (given.kind !== 'danger') setTimeout(() => close(id), given.action ? LONG : SHORT)
}

/** Nobody is there any more who could press something. */
export const closeOffers = (): void => show(shown.filter(({ action }) => !action))

const close = (id: number) => show(shown.filter((each) => each.id !== id))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** All that is said now; appears once in the application. */
export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => shown)
  return (
    <section className={css.toasts} aria-label="Messages">
      {all.map(({ id, text, kind = 'plain', action }) => (
        <div key={id} className={`${css.toast} ${css[kind]}`}>
          <p>{text}</p>
          {action && (
            <Button
              kind="quiet"
              onClick={() => {
                close(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton icon="close" label="Close message" onClick={() => close(id)} />
        </div>
      ))}
    </section>
  )
}
