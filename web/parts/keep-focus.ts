import { mainOfPage } from '#web/parts/over-page.ts'
import { Slot } from '#web/store.ts'

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex="0"], [contenteditable=true]'
/** Elements that are remembered. */
const MOST = 12

/** Where the focus was, with what was around it. */
interface Stop {
  element: HTMLElement
  /** From the inside; each with its place among its siblings. */
  around: readonly { parent: HTMLElement; at: number }[]
  path: string
}

/** The last one first. */
const stops = new Slot<readonly Stop[]>('focus_stops', 'account', () => [])
/** It had the focus and takes nothing for a while: the focus goes back when it does. */
const waiting = new Slot<{ element: HTMLElement; held: HTMLElement } | null>(
  'focus_waits',
  'account',
  () => null,
)
const frame = new Slot('focus_frame', 'page', () => 0)

const isLost = () => document.activeElement === null || document.activeElement === document.body

/**
 * Keys always have somebody who hears them: where the element that has the focus goes, or is disabled, what is next to
 * it has it, else what had it before. Components that know better say so themselves, a moment earlier.
 */
export function keepFocus(): () => void {
  const over = new AbortController()
  const options = { capture: true, signal: over.signal }
  addEventListener('focusin', ({ target }) => target instanceof HTMLElement && remember(target), options)
  for (const type of ['focusout', 'keyup', 'click', 'pointerup']) addEventListener(type, check, options)
  const observer = new MutationObserver(check)
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'inert'],
  })
  check()
  return () => {
    over.abort()
    observer.disconnect()
    cancelAnimationFrame(frame.get())
  }
}

function remember(element: HTMLElement): void {
  const around: Stop['around'][number][] = []
  for (let child = element; child.parentElement; child = child.parentElement)
    around.push({ parent: child.parentElement, at: [...child.parentElement.children].indexOf(child) })
  const path = location.pathname
  stops.update((all) =>
    [{ element, around, path }, ...all.filter((each) => each.element !== element)].slice(0, MOST),
  )
}

/** After those who take care of it themselves: effects, and dialogs that give back what they took. */
function check(): void {
  cancelAnimationFrame(frame.get())
  frame.set(requestAnimationFrame(() => frame.set(requestAnimationFrame(restore))))
}

function restore(): void {
  if (document.activeElement !== waiting.get()?.held && !isLost()) waiting.empty()
  const waits = waiting.get()?.element
  if (waits && canFocus(waits)) {
    waiting.empty()
    return waits.focus({ preventScroll: true })
  }
  // It has gone instead: what is in its place is next.
  const gone = waits && !waits.isConnected ? waits : undefined
  if (gone) waiting.empty()
  if (!isLost() && !gone) return
  const last = gone ? stops.get().find(({ element }) => element === gone) : stops.get()[0]
  // Another page begins at its beginning.
  if (!last || last.path !== location.pathname) return focusPage()
  if (last.element.isConnected && last.element.matches(':disabled')) return wait(last.element)
  const next = beside(last) ?? stops.get().find(({ element }) => canFocus(element))?.element
  if (next) next.focus({ preventScroll: true })
  else focusPage()
}

function canFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility()
}

/** Nothing that a second press of the key would set off: what lies around it. */
function wait(element: HTMLElement): void {
  const held = element.closest<HTMLElement>('[role=dialog], main, aside') ?? mainOfPage()
  if (!held) return
  if (!held.hasAttribute('tabindex')) held.tabIndex = -1
  waiting.set({ element, held })
  held.focus({ preventScroll: true })
}

/** What stands where it stood, within what is left of what was around it. */
function beside({ around }: Stop): HTMLElement | undefined {
  for (const { parent, at } of around) {
    if (!parent.isConnected || !parent.checkVisibility()) continue
    // So far out it is another part of the page; messages come and go.
    if (parent.matches('body, main, [data-passing]') || parent.contains(mainOfPage())) return undefined
    const all = [...parent.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(canFocus)
    const child = parent.children[Math.min(at, parent.children.length - 1)]
    const isAfter = (each: HTMLElement) =>
      child !== undefined &&
      (child.contains(each) || child.compareDocumentPosition(each) === Node.DOCUMENT_POSITION_FOLLOWING)
    const next = all.find(isAfter) ?? all.at(-1)
    if (next) return next
  }
  return undefined
}

/** The page itself, from where Tab goes on. */
export function focusPage(): void {
  const main = mainOfPage()
  if (!main) return
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1
  main.focus({ preventScroll: true })
}
