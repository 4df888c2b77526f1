import {
  baseKeymap,
  chainCommands,
  exitCode,
  lift,
  setBlockType,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import type { MarkType, NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState } from 'prosemirror-state'
import { isChecklist, nextLine, tick, toggleChecklist, withoutBox } from '#web/item/check-commands.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { lineBelow } from '#web/item/insert-block.ts'
import { nextCell } from '#web/item/table-commands.ts'

const { nodes, marks } = descriptionSchema

/** Something the toolbar offers: its state follows the selection. */
export interface RichCommand {
  label: string
  keys: string
  run: Command
  isOn: (state: EditorState) => boolean
}

export const bold = ofMark(marks.strong, 'Bold', 'Mod-b')
export const italic = ofMark(marks.em, 'Italic', 'Mod-i')
export const code = ofMark(marks.code, 'Code', 'Mod-e')
export const bulletList = ofList(nodes.bullet_list, 'List', 'Mod-Shift-8')
export const orderedList = ofList(nodes.ordered_list, 'Numbered list', 'Mod-Shift-7')
export const checklist: RichCommand = {
  label: 'Checklist',
  keys: 'Mod-Shift-6',
  isOn: isChecklist,
  run: toggleChecklist,
}
export const quote: RichCommand = {
  label: 'Quote',
  keys: 'Mod-Shift-9',
  isOn: (state) => isWithin(state, nodes.blockquote),
  run: (state, dispatch) =>
    (isWithin(state, nodes.blockquote) ? lift : wrapIn(nodes.blockquote))(state, dispatch),
}
export const codeBlock: RichCommand = {
  label: 'Block of code',
  keys: 'Mod-Alt-c',
  isOn: (state) => state.selection.$from.parent.type === nodes.code_block,
  run: (state, dispatch) =>
    setBlockType(codeBlock.isOn(state) ? nodes.paragraph : nodes.code_block)(state, dispatch),
}

/** What a line can be. */
export const LINES = [
  { label: 'Text', level: 0, keys: 'Mod-Alt-0' },
  { label: 'Heading', level: 2, keys: 'Mod-Alt-2' },
  { label: 'Smaller heading', level: 3, keys: 'Mod-Alt-3' },
  { label: 'Smallest heading', level: 4, keys: 'Mod-Alt-4' },
] as const

export const setLine = (level: number): Command =>
  level ? setBlockType(nodes.heading, { level }) : setBlockType(nodes.paragraph)

export const levelOf = ({ selection: { $from } }: EditorState): number =>
  $from.parent.type === nodes.heading ? Number($from.parent.attrs['level']) : 0

/** The address of the link at the selection. */
export function linkAt({ doc, selection }: EditorState): string | undefined {
  const { from, to, empty, $from } = selection
  let href: unknown
  if (empty) href = marks.link.isInSet($from.marks())?.attrs['href']
  else doc.nodesBetween(from, to, (node) => void (href ??= marks.link.isInSet(node.marks)?.attrs['href']))
  return typeof href === 'string' ? href : undefined
}

/** The selected text, or all of the link that the cursor is in; without either the address itself is put there. */
export const setLink =
  (href: string): Command =>
  (state, dispatch) => {
    const { from, to } = linkedRange(state)
    const mark = href ? marks.link.create({ href }) : null
    const { tr } = state
    if (from === to && mark) tr.replaceSelectionWith(descriptionSchema.text(href, [mark]), false)
    else {
      tr.removeMark(from, to, marks.link)
      if (mark) tr.addMark(from, to, mark)
    }
    dispatch?.(tr.scrollIntoView())
    return true
  }

function linkedRange({ selection }: EditorState): { from: number; to: number } {
  const { from, to, empty, $from } = selection
  const mark = empty ? marks.link.isInSet($from.marks()) : undefined
  if (!mark) return { from, to }
  const { parent } = $from
  let first = $from.index() - ($from.textOffset || $from.nodeAfter?.marks.includes(mark) ? 0 : 1)
  let last = first
  const has = (i: number) => i >= 0 && i < parent.childCount && mark.isInSet(parent.child(i).marks)
  while (has(first - 1)) first--
  while (has(last + 1)) last++
  const at = (end: number) => {
    let pos = $from.start()
    for (let i = 0; i < end; i++) pos += parent.child(i).nodeSize
    return pos
  }
  return { from: at(first), to: at(last + 1) }
}

const hardBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
}

const COMMANDS = [bold, italic, code, bulletList, orderedList, checklist, quote, codeBlock]

/** Tab indents in a list and goes through the cells of a table: elsewhere it goes on to the next control. */
export const richKeys: Readonly<Record<string, Command>> = {
  ...baseKeymap,
  ...Object.fromEntries(COMMANDS.map(({ keys, run }) => [keys, run])),
  ...Object.fromEntries(LINES.map(({ keys, level }) => [keys, setLine(level)])),
  'Mod-z': undo,
  'Mod-y': redo,
  'Mod-Shift-z': redo,
  'Shift-Enter': chainCommands(exitCode, hardBreak),
  'Mod-Shift-Enter': tick,
  Enter: chainCommands(nextLine, baseKeymap['Enter']!),
  Backspace: chainCommands(withoutBox, baseKeymap['Backspace']!),
  ArrowDown: lineBelow,
  Tab: chainCommands(sinkListItem(nodes.list_item), nextCell(1)),
  'Shift-Tab': chainCommands(nextCell(-1), liftListItem(nodes.list_item)),
}

function ofMark(mark: MarkType, label: string, keys: string): RichCommand {
  const isOn = ({ selection: { from, to, empty, $from }, storedMarks, doc }: EditorState) =>
    empty ? mark.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, mark)
  return { label, keys, isOn, run: toggleMark(mark) }
}

function ofList(list: NodeType, label: string, keys: string): RichCommand {
  const isOn = (state: EditorState) => nearestList(state) === list
  return {
    label,
    keys,
    isOn,
    run: (state, dispatch) =>
      (isOn(state) ? liftListItem(nodes.list_item) : wrapInList(list))(state, dispatch),
  }
}

function nearestList({ selection: { $from } }: EditorState): NodeType | undefined {
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type } = $from.node(depth)
    if (type === nodes.bullet_list || type === nodes.ordered_list) return type
  }
  return undefined
}

function isWithin({ selection: { $from } }: EditorState, type: NodeType): boolean {
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === type) return true
  return false
}
