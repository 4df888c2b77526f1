import type { Node } from 'prosemirror-model'
import { type Command, TextSelection } from 'prosemirror-state'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { isInLastRow, isInTable } from '#web/item/table-commands.ts'

const { nodes } = descriptionSchema

/** In the place of an empty line, else beneath it; one goes on in it where it has room, else under it. */
export function insertBlock(make: () => Node): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    if (isInTable(state) || !$from.parent.isTextblock || !$from.depth) return false
    const node = make()
    const around = $from.node(-1)
    const at = $from.index(-1)
    const isEmpty = !$from.parent.content.size && around.canReplaceWith(at, at + 1, node.type)
    if (!isEmpty && !around.canReplaceWith(at + 1, at + 1, node.type)) return false
    if (!dispatch) return true
    const from = isEmpty ? $from.before() : $from.after()
    const isLast = at === around.childCount - 1
    const { tr } = state
    tr.replaceWith(from, $from.after(), isLast ? [node, nodes.paragraph.create()] : node)
    const inside = node.isLeaf ? from + node.nodeSize : from
    tr.setSelection(TextSelection.near(tr.doc.resolve(inside)))
    dispatch(tr.scrollIntoView())
    return true
  }
}

/** ↓ under a table, a quote or a block of code that is the last thing: a line to go on in. */
export const lineBelow: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection
  if (!empty || !$from.depth || $from.indexAfter(0) < state.doc.childCount) return false
  const last = $from.node(1).type
  if (last !== nodes.table && last !== nodes.code_block && last !== nodes.blockquote) return false
  if (view && !view.endOfTextblock('down')) return false
  if (last === nodes.table ? !isInLastRow(state) : hasTextFrom($from.after(), state.doc)) return false
  const end = state.doc.content.size
  const tr = state.tr.insert(end, nodes.paragraph.create())
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(end + 1))).scrollIntoView())
  return true
}

function hasTextFrom(from: number, doc: Node): boolean {
  let has = false
  doc.nodesBetween(from, doc.content.size, (node, pos) => {
    has ||= pos >= from && node.isTextblock
  })
  return has
}
