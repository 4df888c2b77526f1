import type { Node } from 'prosemirror-model'
import type { NodeView, NodeViewConstructor } from 'prosemirror-view'
import { isFileAddress } from '#web/item/clean-html.ts'
import css from '#web/item/rich-editor.module.css'

/** Its rank is set by decorations: it follows from the headings before it. */
function headingView({ attrs }: Node): NodeView {
  const dom = document.createElement('div')
  dom.dataset['level'] = String(attrs['level'])
  dom.setAttribute('role', 'heading')
  return { dom, contentDOM: dom }
}

/** An image that lies elsewhere is named, not loaded. */
function imageView({ attrs }: Node): NodeView {
  const src = String(attrs['src'])
  if (/^data:image\//i.test(src) || isFileAddress(src)) {
    const dom = document.createElement('img')
    dom.src = src
    dom.alt = String(attrs['alt'] ?? '')
    return { dom }
  }
  const dom = document.createElement('span')
  dom.className = css.elsewhere!
  const host = URL.canParse(src) ? new URL(src).host : src
  dom.textContent = `Image at ${host}${attrs['alt'] ? `: ${String(attrs['alt'])}` : ''}`
  return { dom }
}

export const NODE_VIEWS: Readonly<Record<string, NodeViewConstructor>> = {
  heading: headingView,
  image: imageView,
}
