import { type CheckSign, checkSignOf, withoutCheckSign } from '#web/rules/checklist.ts'

/** How a line says, within the editor, that it has a box. */
const NAME = 'check'

/** The text with which a line of a checklist begins. */
export function checkText(line: Element): Text | undefined {
  const first = firstOf(line)
  const text = first instanceof Element && first.tagName === 'P' ? firstOf(first) : first
  return text instanceof Text && checkSignOf(text.data) ? text : undefined
}

const firstOf = ({ childNodes }: Element) =>
  [...childNodes].find((node) => !(node instanceof Text) || node.data.trim())

export const checkOfLine = (line: HTMLElement): CheckSign | null =>
  (line.dataset[NAME] as CheckSign | undefined) ?? checkSignOf(checkText(line)?.data ?? '') ?? null

/** The same line without what stands for its box. */
export function lineWithoutCheck(line: HTMLElement): HTMLElement {
  const copy = line.cloneNode(true) as HTMLElement
  const text = checkText(copy)
  if (text && !line.dataset[NAME]) text.data = withoutCheckSign(text.data)
  return copy
}

/** Boxes as they are stored: as text. */
export function writeChecks(root: ParentNode): void {
  for (const line of root.querySelectorAll<HTMLElement>(`li[data-${NAME}]`)) {
    const within = line.firstElementChild?.tagName === 'P' ? line.firstElementChild : line
    within.prepend(line.dataset[NAME]! + (within.hasChildNodes() ? ' ' : ''))
    delete line.dataset[NAME]
  }
}
