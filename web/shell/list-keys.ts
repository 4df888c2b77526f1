import type { Action } from '#web/parts/action.ts'

const ACTIVE = 'a[href], button:not(:disabled)'

/** What leads on from each line of the lists on the page, in their order. */
const linesOfPage = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main li')].flatMap((line) => {
    const first = [...line.querySelectorAll<HTMLElement>(ACTIVE)].find(
      (each) => each.closest('li') === line && each.offsetParent !== null,
    )
    return first ? [first] : []
  })

const lineHere = () => document.activeElement?.closest<HTMLElement>('main li')

/** To the next line of a list, or to the one before; from elsewhere to the first one. */
function goAlong(by: 1 | -1): void {
  const lines = linesOfPage()
  const here = lineHere()
  const at = lines.findIndex((each) => each.closest('li') === here)
  const next = at < 0 ? lines[0] : lines[at + by]
  next?.focus()
}

/** Arrows scroll the page until one is in a list. */
function goOn(by: 1 | -1): boolean {
  if (!lineHere()) return false
  goAlong(by)
  return true
}

/** Marks the line where one is, where lines can be marked. */
function mark(): boolean {
  const box = lineHere()?.querySelector<HTMLElement>('input[type=checkbox]')
  box?.click()
  return box != null
}

const KEYS: readonly [keys: string, title: string, run: () => unknown][] = [
  ['j', 'Next line', () => goAlong(1)],
  ['k', 'Line before', () => goAlong(-1)],
  ['arrowdown', 'Next line, once in the list', () => goOn(1)],
  ['arrowup', 'Line before, once in the list', () => goOn(-1)],
  ['x', 'Select the line', mark],
]

/** How one goes through lists of any page; Enter opens, as everywhere. */
export const LIST_KEYS: readonly Action[] = KEYS.map(([keys, title, run]) => ({
  id: `list ${keys}`,
  title,
  keys,
  group: 'Lists',
  hidden: true,
  run,
}))
