import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { descriptionSchema } from '#web/item/description-schema.ts'

const { nodes } = descriptionSchema

interface Placed {
  node: Node
  pos: number
}

interface TableRow extends Placed {
  cells: readonly Placed[]
}

interface TableAt {
  table: Placed
  rows: readonly TableRow[]
  /** Where the selection is. */
  row: number
  cell: number
  /** Every row has as many cells, and none covers others: rows and columns are what they seem. */
  isEven: boolean
}

/** The table that the selection is in. */
function tableAt({ selection: { $from } }: EditorState): TableAt | undefined {
  let depth = $from.depth
  while (depth && $from.node(depth).type !== nodes.table) depth--
  if (!depth) return undefined
  const table = { node: $from.node(depth), pos: $from.before(depth) }
  const rows = rowsOf(table)
  const row = rows.findIndex(({ node, pos }) => $from.pos > pos && $from.pos < pos + node.nodeSize)
  const cells = rows[row]?.cells ?? []
  const cell = cells.findIndex(({ node, pos }) => $from.pos > pos && $from.pos < pos + node.nodeSize)
  if (cell < 0) return undefined
  const isEven = rows.every(
    (each) =>
      each.cells.length === cells.length &&
      each.cells.every(({ node: { attrs } }) => !attrs['colspan'] && !attrs['rowspan']),
  )
  return { table, rows, row, cell, isEven }
}

function rowsOf({ node, pos }: Placed): TableRow[] {
  const rows: TableRow[] = []
  node.descendants((each, offset) => {
    const at = pos + 1 + offset
    if (each.type === nodes.table_row) rows.push({ node: each, pos: at, cells: [] })
    const row = rows.at(-1)
    if (each.type === nodes.table_cell && row) (row.cells as Placed[]).push({ node: each, pos: at })
    return each.type !== nodes.table_cell
  })
  return rows
}

export const isInLastRow = (state: EditorState): boolean => {
  const at = tableAt(state)
  return at !== undefined && at.row === at.rows.length - 1
}

export const isInTable = (state: EditorState): boolean => tableAt(state) !== undefined

const emptyCell = (tag: unknown): Node => nodes.table_cell.createAndFill({ tag })!
const emptyRow = (tag: string, width: number): Node =>
  nodes.table_row.create(
    null,
    Array.from({ length: width }, () => emptyCell(tag)),
  )

/** A head and two rows, of three columns. */
export const newTable = (): Node =>
  nodes.table.create(null, [
    nodes.table_section.create({ tag: 'thead' }, [emptyRow('th', 3)]),
    nodes.table_section.create({ tag: 'tbody' }, [emptyRow('td', 3), emptyRow('td', 3)]),
  ])

/** A command within a table whose rows and columns are plain. */
const within =
  (change: (at: TableAt, tr: Transaction) => void): Command =>
  (state, dispatch) => {
    const at = tableAt(state)
    if (!at?.isEven) return false
    if (!dispatch) return true
    const { tr } = state
    change(at, tr)
    dispatch(tr.scrollIntoView())
    return true
  }

const putInto = (tr: Transaction, pos: number) => tr.setSelection(TextSelection.near(tr.doc.resolve(pos + 1)))

/** Beneath the head the first row of the body, made with it where there is none. */
function insertRow({ rows, row, table }: TableAt, tr: Transaction, width: number): number {
  const { node, pos } = rows[row]!
  const end = pos + node.nodeSize
  const section = tr.doc.resolve(pos).parent
  const isHead = section.attrs['tag'] === 'thead'
  if (!isHead) {
    tr.insert(end, emptyRow('td', width))
    return end
  }
  const next = rows[row + 1]
  const at = next ? next.pos : table.pos + table.node.nodeSize - 1
  const isBody = next && tr.doc.resolve(next.pos).parent !== section
  const made = emptyRow(next && !isBody ? 'th' : 'td', width)
  tr.insert(at, next ? made : nodes.table_section.create({ tag: 'tbody' }, [made]))
  return next ? at : at + 1
}

export const addRow = within((at, tr) => putInto(tr, insertRow(at, tr, at.rows[at.row]!.cells.length) + 1))

export const addColumn = within(({ rows, row, cell }, tr) => {
  for (const { cells } of rows.toReversed()) {
    const { node, pos } = cells[cell]!
    tr.insert(pos + node.nodeSize, emptyCell(node.attrs['tag']))
  }
  const here = rows[row]!.cells[cell]!
  putInto(tr, tr.mapping.map(here.pos, -1) + here.node.nodeSize)
})

export const deleteRow = within(({ table, rows, row, cell }, tr) => {
  if (rows.length === 1) return deleteWhole(table, tr)
  const { node, pos } = rows[row]!
  const $pos = tr.doc.resolve(pos)
  // A section without rows is none.
  if ($pos.parent.childCount === 1) tr.delete($pos.before(), $pos.after())
  else tr.delete(pos, pos + node.nodeSize)
  const left = rows[row + 1] ?? rows[row - 1]!
  putInto(tr, tr.mapping.map(left.cells[cell]!.pos))
})

export const deleteColumn = within(({ table, rows, row, cell }, tr) => {
  if (rows[row]!.cells.length === 1) return deleteWhole(table, tr)
  for (const { cells } of rows.toReversed()) {
    const { node, pos } = cells[cell]!
    tr.delete(pos, pos + node.nodeSize)
  }
  const { cells } = rows[row]!
  putInto(tr, tr.mapping.map((cells[cell + 1] ?? cells[cell - 1]!).pos))
})

export const deleteTable: Command = (state, dispatch) => {
  const at = tableAt(state)
  if (!at) return false
  const { tr } = state
  deleteWhole(at.table, tr)
  dispatch?.(tr.scrollIntoView())
  return true
}

function deleteWhole({ node, pos }: Placed, tr: Transaction): void {
  tr.replaceWith(pos, pos + node.nodeSize, nodes.paragraph.create())
  tr.setSelection(TextSelection.near(tr.doc.resolve(pos + 1)))
}

/** Tab: the next cell; in the last one a row more. */
export const nextCell =
  (step: 1 | -1): Command =>
  (state, dispatch) => {
    const at = tableAt(state)
    if (!at) return false
    const all = at.rows.flatMap(({ cells }) => cells)
    const here = at.rows[at.row]!.cells[at.cell]!
    const next = all[all.indexOf(here) + step]
    if (!next) return step > 0 && addRow(state, dispatch)
    const $start = state.doc.resolve(next.pos + 1)
    dispatch?.(state.tr.setSelection(TextSelection.near($start)).scrollIntoView())
    return true
  }
