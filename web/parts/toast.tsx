import { useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#web/parts/button.tsx'
import { say } from '#web/parts/live-region.tsx'
import { newKey } from '#web/rules/new-key.ts'
import { plainName } from '#web/rules/plain-name.ts'
import { Slot, useSlot } from '#web/store.ts'
import css from '#web/parts/toast.module.css'

export interface Toast {
  text: string
  kind?: 'plain' | 'danger'
  /** E.g. Undo. */
  action?: { label: string; run: () => void }
}

interface Shown extends Toast {
  id: string
}

/** Milliseconds; with something to press it stays longer, and what went wrong stays until it is closed. */
const SHORT = 5000
const LONG = 10_000
const MOST = 3

const shown = new Slot<readonly Shown[]>('toasts', 'account', () => [])

/** Says at the edge of the page what has happened. */
export function toast(given: Toast): void {
  const id = newKey()
  // One after the other: what went wrong, or offers something, is still wanted.
  const kept = shown.get().filter(({ kind, action }) => kind === 'danger' || action)
  shown.set([...kept.slice(1 - MOST), { ...given, id }])
  say(given.text)
  if (given.kind !== 'danger') setTimeout(() => close(id), given.action ? LONG : SHORT)
}

const close = (id: string) => shown.update((all) => all.filter((each) => each.id !== id))

function covers(section: HTMLElement, element: Element | null): boolean {
  if (!element || section.contains(element) || element.matches('body, main, [role=grid]')) return false
  const [over, under] = [section.getBoundingClientRect(), element.getBoundingClientRect()]
  return (
    over.left < under.right && under.left < over.right && over.top < under.bottom && under.top < over.bottom
  )
}

/** All that is said now; appears once in the application. */
export function Toasts() {
  const all = useSlot(shown, (all) => all)
  const section = useRef<HTMLElement>(null)
  const [isAbove, setAbove] = useState(false)
  // Never over where somebody works.
  useLayoutEffect(() => {
    if (!all.length) return setAbove(false)
    const look = () => setAbove((was) => was || covers(section.current!, document.activeElement))
    look()
    addEventListener('focusin', look)
    return () => removeEventListener('focusin', look)
  }, [all])
  return (
    <section
      ref={section}
      data-above={isAbove || undefined}
      className={css.toasts}
      aria-label="Messages"
      data-passing
    >
      {all.map(({ id, text, kind = 'plain', action }) => (
        <div key={id} className={`${css.toast} ${css[kind]}`}>
          <p>{plainName(text)}</p>
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
