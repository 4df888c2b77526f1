import { together } from '#web/item/together.ts'

/** How Word writes what its lists are: a paragraph of a level, and within it the sign that stands before it. */
const LEVEL = /mso-list:\s*l\d+\s+level(\d)/i
const SIGN = /mso-list:\s*Ignore/i
/** `1.`, `(a)`, `iv)`; not the `o` and `§` of bullets. */
const NUMBER = /^\(?(\d+|[a-z]+)[.)]/i

interface OpenList {
  list: Element
  level: number
}

/** Paragraphs that are lists in Word become lists; the signs before them go. Styles are read from `data-style`. */
export function listsOfWord(fragment: DocumentFragment): void {
  let open: OpenList[] = []
  for (const element of fragment.querySelectorAll<HTMLElement>('[data-style*="mso-list" i]')) {
    const level = Number(LEVEL.exec(element.dataset['style']!)?.[1] ?? 0)
    const sign = takeSign(element)
    if (element.tagName !== 'P' || !level) continue
    if (!follows(element, open[0]?.list)) open = []
    const number = NUMBER.exec(sign)?.[1]
    const item = document.createElement('li')
    item.append(together(element.childNodes))
    listFor(element, open, { level, number }).append(item)
    element.remove()
  }
}

function takeSign(element: Element): string {
  const signs = [...element.querySelectorAll<HTMLElement>('[data-style*="mso-list" i]')].filter((each) =>
    SIGN.test(each.dataset['style']!),
  )
  for (const each of signs) each.remove()
  return (signs[0]?.textContent ?? '').trim()
}

/** Whether nothing but white space is between the list and the paragraph. */
function follows(element: Element, list: Element | undefined): boolean {
  if (!list || element.previousElementSibling !== list) return false
  for (let node = element.previousSibling!; node !== list; node = element.previousSibling!) {
    if (node.textContent!.trim()) return false
    node.remove()
  }
  return true
}

interface Line {
  level: number
  /** As it is written; undefined: a bullet. */
  number: string | undefined
}

function listFor(paragraph: Element, open: OpenList[], { level, number }: Line): Element {
  while (open.length > 1 && open.at(-1)!.level > level) open.pop()
  const name = number === undefined ? 'UL' : 'OL'
  const last = open.at(-1)
  if (last && last.level >= level) {
    if (last.list.tagName === name) return last.list
    open.pop()
  }
  const list = document.createElement(name)
  if (Number(number) > 1) list.setAttribute('start', number!)
  const above = open.at(-1)?.list.lastElementChild
  if (above) above.append(list)
  else paragraph.before(list)
  open.push({ list, level })
  return list
}
