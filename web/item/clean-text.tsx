import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { checkText } from '#web/item/check-elements.ts'
import { cleanHtml, isItemAddress } from '#web/item/clean-html.ts'
import { checkSignOf, isTicked, withBoxTurned, withoutCheckSign } from '#web/rules/checklist.ts'
import { isMarkup } from '#web/rules/description-text.ts'
import css from '#web/item/clean-text.module.css'
import { together } from '#web/item/together.ts'

interface CleanTextProps {
  html: string
  /** The same with one box of its checklists turned; without it boxes are only shown. */
  onTick?: ((html: string) => void) | undefined
}

/** A description as it is read. Loaded lazily, with what cleans it. */
export function CleanText({ html, onTick }: CleanTextProps) {
  const place = useRef<HTMLDivElement>(null)
  const [, go] = useLocation()
  const canTick = onTick !== undefined
  useLayoutEffect(() => {
    const element = place.current!
    const at = boxesIn(element).indexOf(document.activeElement as HTMLElement)
    const fragment = cleanHtml(html)
    drawBoxes(fragment, canTick)
    // What is too wide for the page is scrolled, by keys too.
    for (const code of fragment.querySelectorAll('pre')) code.tabIndex = 0
    element.replaceChildren(fragment)
    // A box that was turned is another element now.
    if (at >= 0) boxesIn(element)[at]?.focus({ preventScroll: true })
  }, [html, canTick])
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return
    const target = event.target as Element
    const address = target.closest('a')?.getAttribute('href') ?? ''
    const boxes = boxesIn(place.current!)
    const at = boxes.indexOf(target.closest<HTMLElement>('[role=checkbox]')!)
    if (isItemAddress(address)) go(address)
    else if (at >= 0) {
      const next = withBoxTurned(html, at, boxes.length)
      if (next !== undefined) onTick?.(next)
    } else return
    event.preventDefault()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Space and Enter are its own: on the page they open things.
    if (/^(?: |Enter)$/.test(event.key) && (event.target as Element).matches('[role=checkbox]'))
      event.stopPropagation()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- heard from the links and boxes within
    <div
      ref={place}
      className={`${css.text} ${isMarkup(html) ? '' : css.plain}`}
      onClick={onClick}
      onKeyDown={onKeyDown}
    />
  )
}

const boxesIn = (element: Element) => [...element.querySelectorAll<HTMLElement>(`.${css.box}`)]

/** Lines of checklists with their boxes. */
function drawBoxes(fragment: DocumentFragment, canTick: boolean): void {
  for (const line of fragment.querySelectorAll('li')) {
    const text = checkText(line)
    if (!text) continue
    const isDone = isTicked(checkSignOf(text.data)!)
    text.data = withoutCheckSign(text.data)
    const box = document.createElement(canTick ? 'button' : 'span')
    if (box instanceof HTMLButtonElement) box.type = 'button'
    box.className = css.box!
    box.setAttribute('role', canTick ? 'checkbox' : 'img')
    if (canTick) box.setAttribute('aria-checked', String(isDone))
    else box.dataset['done'] = String(isDone)
    const own = [...line.childNodes].filter((node) => !/^[UO]L$/.test(node.nodeName))
    const words = own
      .map(({ textContent }) => textContent)
      .join('')
      .trim()
      .slice(0, 80)
    box.setAttribute('aria-label', canTick ? words || 'Done' : isDone ? 'done' : 'to do')
    const around = document.createElement('div')
    around.append(together(line.childNodes))
    line.className = css.line!
    line.append(box, around)
  }
}
