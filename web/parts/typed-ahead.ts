import { typedBy } from '#web/parts/composing-keys.ts'
import { Slot } from '#web/store.ts'

/** Milliseconds after which nobody comes any more to take it. */
const PATIENCE = 5000
/** The same where somebody is there who takes it, or gives it up: longer than any answer takes. */
export const UNTIL_ANSWERED = 120_000

interface Ahead {
  /** What was typed since Enter was pressed last. */
  typed: string
  /** What was typed before each Enter. */
  lines: readonly string[]
  /** Ends it. */
  timer: ReturnType<typeof setTimeout>
}

/** Null: nothing is waited for. */
const ahead = new Slot<Ahead | null>('typed_ahead', 'page', () => null)

function keep(event: KeyboardEvent): void {
  const { key } = event
  const typed = typedBy(event)
  if (typed === undefined && (event.ctrlKey || event.metaKey || event.altKey)) return
  if (key === 'Escape' || (key === 'Tab' && !textOf(ahead.get()))) return void takeTyped()
  event.preventDefault()
  event.stopPropagation()
  ahead.update((before) => {
    if (!before) return before
    if (key === 'Enter' && before.typed)
      return { typed: '', lines: [...before.lines, before.typed], timer: before.timer }
    if (key === 'Backspace') return { ...before, typed: before.typed.slice(0, -1) }
    return typed === undefined ? before : { ...before, typed: before.typed + typed }
  })
}

/** Keeps what is typed until the box that it is meant for is there; where it is kept already, that goes on. */
export function keepTyped(patience = PATIENCE): void {
  const before = ahead.get()
  clearTimeout(before?.timer)
  addEventListener('keydown', keep, { capture: true })
  const { typed = '', lines = [] } = before ?? {}
  ahead.set({ typed, lines, timer: setTimeout(takeTyped, patience) })
}

const textOf = (kept: Ahead | null): string => (kept ? [...kept.lines, kept.typed].join('') : '')

/** What was typed meanwhile; from now on the box takes it. */
export const takeTyped = (): string => textOf(take())

/** The same for a box that takes one line after the other: those that were entered, and what was typed since. */
export function takeLines(): { typed: string; lines: readonly string[] } {
  const { typed = '', lines = [] } = take() ?? {}
  return { typed, lines }
}

/** The same for a box that is done with by Enter: what comes after that is for nobody. */
export function takeLine(): { text: string; isEntered: boolean } {
  const { typed, lines } = takeLines()
  return { text: lines[0] ?? typed, isEntered: lines.length > 0 }
}

function take(): Ahead | null {
  removeEventListener('keydown', keep, { capture: true })
  const taken = ahead.get()
  clearTimeout(taken?.timer)
  ahead.empty()
  return taken
}
