import { type DOMOutputSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { marks, nodes } from 'prosemirror-schema-basic'
import { bulletList, listItem, orderedList } from 'prosemirror-schema-list'
import { checkOfLine, lineWithoutCheck } from '#web/item/check-elements.ts'

const attributes = (dom: HTMLElement, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, dom.getAttribute(name)]))
/** Those that are given. */
const given = (attrs: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null))
const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { default: null }]))

const LINK = ['href', 'title', 'target', 'rel']
const IMAGE = ['src', 'alt', 'title']
const CELL = ['colspan', 'rowspan']

const heading: NodeSpec = {
  ...nodes.heading,
  parseDOM: [1, 2, 3, 4, 5, 6].map((n) => ({ tag: `h${n}`, attrs: { level: Math.min(n, 4) } })),
}

/** With or without `code` inside, and the language that it names. */
const code_block: NodeSpec = {
  ...nodes.code_block,
  attrs: { bare: { default: false }, language: { default: null } },
  parseDOM: [
    {
      tag: 'pre',
      preserveWhitespace: 'full',
      getAttrs: (dom) => {
        const code = dom.firstElementChild
        return { bare: code?.tagName !== 'CODE', language: code?.getAttribute('class') ?? null }
      },
    },
  ],
  toDOM: ({ attrs }): DOMOutputSpec =>
    attrs['bare'] ? ['pre', 0] : ['pre', ['code', given({ class: attrs['language'] }), 0]],
}

const image: NodeSpec = {
  ...nodes.image,
  attrs: none(IMAGE),
  parseDOM: [{ tag: 'img[src]', getAttrs: (dom) => attributes(dom, IMAGE) }],
  toDOM: ({ attrs }) => ['img', given(attrs)],
}

const ordered_list: NodeSpec = {
  ...orderedList,
  group: 'block',
  content: 'list_item+',
  attrs: { order: { default: 1 } },
}

/** With a box where it is one of a checklist. */
const list_item: NodeSpec = {
  ...listItem,
  content: 'paragraph block*',
  attrs: { check: { default: null } },
  parseDOM: [
    {
      tag: 'li',
      getAttrs: (dom) => ({ check: checkOfLine(dom) }),
      contentElement: (dom) => lineWithoutCheck(dom),
    },
  ],
  toDOM: ({ attrs }) => ['li', given({ 'data-check': attrs['check'] }), 0],
}

const table: NodeSpec = {
  group: 'block',
  content: 'table_section+',
  isolating: true,
  parseDOM: [{ tag: 'table' }],
  toDOM: () => ['table', 0],
}

const table_section: NodeSpec = {
  content: 'table_row+',
  attrs: { tag: { default: 'tbody' } },
  parseDOM: ['thead', 'tbody'].map((tag) => ({ tag, attrs: { tag } })),
  toDOM: ({ attrs }) => [String(attrs['tag']), 0],
}

const table_row: NodeSpec = {
  content: 'table_cell*',
  parseDOM: [{ tag: 'tr' }],
  toDOM: () => ['tr', 0],
}

const table_cell: NodeSpec = {
  content: 'block+',
  isolating: true,
  attrs: { tag: { default: 'td' }, ...none(CELL) },
  parseDOM: ['td', 'th'].map((tag) => ({
    tag,
    getAttrs: (dom: HTMLElement) => ({ tag, ...attributes(dom, CELL) }),
  })),
  toDOM: ({ attrs: { tag, ...rest } }) => [String(tag), given(rest), 0],
}

/** What the editor of descriptions can hold: the markup that a description is shown with, and no more. */
export const descriptionSchema = new Schema({
  nodes: {
    doc: nodes.doc,
    paragraph: nodes.paragraph,
    heading,
    blockquote: nodes.blockquote,
    bullet_list: { ...bulletList, group: 'block', content: 'list_item+' },
    ordered_list,
    list_item,
    code_block,
    horizontal_rule: nodes.horizontal_rule,
    table,
    table_section,
    table_row,
    table_cell,
    text: nodes.text,
    image,
    hard_break: nodes.hard_break,
  },
  marks: {
    link: {
      attrs: none(LINK),
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: (dom) => attributes(dom, LINK) }],
      toDOM: ({ attrs }) => ['a', given(attrs), 0],
    },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: marks.strong.toDOM! },
    em: { parseDOM: [{ tag: 'i' }, { tag: 'em' }], toDOM: marks.em.toDOM! },
    code: marks.code,
  },
})
