import type { Node } from 'prosemirror-model'
import { splitListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState } from 'prosemirror-state'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { type CheckSign, openSign, turned } from '#web/rules/checklist.ts'

const { nodes } = descriptionSchema

interface Line {
  node: Node
  pos: number
}

export const checkOf = ({ attrs }: Node): CheckSign | null => attrs['check'] as CheckSign | null

/** The lines of lists that are selected, the innermost ones. */
function selectedLines({ selection, doc }: EditorState): Line[] {
  const lines: Line[] = []
  doc.nodesBetween(selection.from, selection.to, (node, pos) => {
    if (node.isTextblock) {
      const $pos = doc.resolve(pos)
      const isFirst = $pos.parent.type === nodes.list_item && $pos.index() === 0
      if (isFirst) lines.push({ node: $pos.parent, pos: $pos.before() })
    }
    return !node.isTextblock
  })
  return lines
}

export const isChecklist = (state: EditorState): boolean => {
  const lines = selectedLines(state)
  return lines.length > 0 && lines.every(({ node }) => checkOf(node))
}

/** Lines with boxes, a list of such, and back. */
export const toggleChecklist: Command = (state, dispatch) => {
  if (!selectedLines(state).length) {
    if (!dispatch) return wrapInList(nodes.bullet_list)(state)
    return wrapInList(nodes.bullet_list)(state, (wrapped) => {
      const { tr } = state.apply(wrapped)
      setChecks(state.apply(wrapped), '☐', (pos, sign) => tr.setNodeAttribute(pos, 'check', sign))
      // One step for whoever takes it back.
      for (const step of tr.steps) wrapped.step(step)
      dispatch(wrapped)
    })
  }
  const { tr } = state
  setChecks(state, isChecklist(state) ? null : '☐', (pos, sign) => tr.setNodeAttribute(pos, 'check', sign))
  dispatch?.(tr)
  return true
}

function setChecks(
  state: EditorState,
  sign: CheckSign | null,
  set: (pos: number, sign: CheckSign | null) => void,
): void {
  for (const { node, pos } of selectedLines(state)) set(pos, sign && (checkOf(node) ?? sign))
}

/** Ticks the selected lines, or unticks them. */
export const tick: Command = (state, dispatch) => {
  const lines = selectedLines(state).filter(({ node }) => checkOf(node))
  if (!lines.length) return false
  const { tr } = state
  for (const { node, pos } of lines) tr.setNodeAttribute(pos, 'check', turned(checkOf(node)!))
  dispatch?.(tr)
  return true
}

/** Enter: the next line has a box that is not ticked. */
export const nextLine: Command = (state, dispatch) => {
  const [line] = selectedLines(state)
  const sign = line && checkOf(line.node)
  return splitListItem(nodes.list_item, sign ? { check: openSign(sign) } : undefined)(state, dispatch)
}

/** Backspace at the beginning of a line takes its box away first. */
export const withoutBox: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  const [line] = selectedLines(state)
  if (!empty || $from.parentOffset || !line || !checkOf(line.node)) return false
  dispatch?.(state.tr.setNodeAttribute(line.pos, 'check', null))
  return true
}
