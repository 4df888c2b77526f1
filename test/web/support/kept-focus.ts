import type { Keyboard, Locator, Page } from 'playwright-core'

/** Milliseconds in which whatever opens or goes takes or gives back the focus. */
const PATIENCE = 3000

/** Pages that are watched, with where it is told. */
const watched = new WeakMap<Page, string[]>()
const patched = new WeakSet()

const OF_LOCATOR = [
  'click',
  'dblclick',
  'fill',
  'press',
  'pressSequentially',
  'check',
  'uncheck',
  'selectOption',
] as const
const OF_KEYBOARD = ['press', 'type'] as const

type Action = (...args: unknown[]) => Promise<unknown>

/** After every action of a flow something has the focus: never the body, where keys act of which nobody thinks. */
export function watchFocus(page: Page, faults: string[]): void {
  watched.set(page, faults)
  patch<Locator>(Object.getPrototypeOf(page.locator('body')) as Locator, OF_LOCATOR, (locator) =>
    locator.page(),
  )
  patch<Keyboard>(page.keyboard, OF_KEYBOARD, () => page)
}

function patch<T extends object>(
  target: T,
  names: readonly (keyof T & string)[],
  pageOf: (self: T) => Page,
): void {
  if (patched.has(target)) return
  patched.add(target)
  for (const name of names) {
    const action = target[name] as Action
    const watching = async function (this: T, ...args: unknown[]) {
      const answer = await action.apply(this, args)
      const what = `${name} ${args.filter((each) => typeof each === 'string').join(' ')}`
      await look(pageOf(this), what)
      return answer
    }
    Object.defineProperty(target, name, { value: watching })
  }
}

async function look(page: Page, what: string): Promise<void> {
  const faults = watched.get(page)
  if (!faults || page.isClosed()) return
  // A page that is just being left has nothing to say.
  const isLost = await page.evaluate(lostFor, PATIENCE).catch(() => false)
  if (isLost) faults.push(`focus: on nothing after ${what} (${new URL(page.url()).pathname})`)
}

/** Runs in the page. */
function lostFor(patience: number): Promise<boolean> {
  // Nothing of ours: the page of an app that is not there.
  if (!location.protocol.startsWith('http')) return Promise.resolve(false)
  const end = performance.now() + patience
  return new Promise((resolve) => {
    const ask = () => {
      const { activeElement, body, documentElement } = document
      const isLost = activeElement === null || activeElement === body || activeElement === documentElement
      if (!isLost || performance.now() > end) resolve(isLost)
      else setTimeout(ask, 20)
    }
    ask()
  })
}
