import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { checkOf } from '#web/item/check-commands.ts'
import { turned } from '#web/rules/checklist.ts'

/** Pixels of a box, from the left and the top of its line. */
const BOX = 28

/** Boxes of checklists are drawn before their lines, and are no part of the text: no caret goes astray in them. */
export const ticking = (): Plugin =>
  new Plugin({ props: { handleDOMEvents: { mousedown: (view, event) => ticks(view, event) } } })

function ticks(view: EditorView, event: MouseEvent): boolean {
  const { target, clientX, clientY, button } = event
  if (button || !(target instanceof HTMLElement) || !target.matches('li[data-check]')) return false
  const { left, top } = target.getBoundingClientRect()
  if (clientX > left + BOX || clientY > top + BOX) return false
  const pos = view.posAtDOM(target, 0) - 1
  const line = view.state.doc.nodeAt(pos)
  const sign = line && checkOf(line)
  if (!sign) return false
  event.preventDefault()
  view.dispatch(view.state.tr.setNodeAttribute(pos, 'check', turned(sign)))
  return true
}
