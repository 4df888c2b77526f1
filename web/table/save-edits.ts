import type { ItemEdits } from '#web/data/item-edits.ts'
import type { Opened, TagEdit } from '#web/data/send-edit.ts'
import { knownItemName } from '#web/data/item-names.ts'
import type { CellPlace } from '#web/data/pending-edits.ts'
import type { Row } from '#web/data/row-source.ts'
import { refusalOf, saveAll, tellReplaced } from '#web/data/save-all.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import { cellText } from '#web/rules/cell-text.ts'
import { type Column, namedAt } from '#web/rules/column.ts'

/** A value for a cell. */
export interface CellEdit {
  row: Row
  column: Column
  value: unknown
  /** Of an editor: what it was opened on. */
  opened?: Opened
}

export const placeOf = (row: Row, column: Column): CellPlace =>
  column.kind === 'field'
    ? { item_id: row.item_id, tag_id: column.tag.tag_id, field: column.field.name }
    : { item_id: row.item_id, tag_id: null, field: 'name' }

interface Group extends TagEdit {
  values: Record<string, unknown>
}

/** One call for each item and tag, whatever is written to it. */
function grouped(cellEdits: readonly CellEdit[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { row, column, value, opened } of cellEdits) {
    const { item_id, tag_id, field } = placeOf(row, column)
    const key = `${item_id} ${tag_id}`
    const { name, updated_at } = row
    const group = groups.get(key) ?? { item_id, tag_id, values: {}, seen: { name, updated_at } }
    group.values[field] = value
    if (opened) group.opened = { ...group.opened, [field]: opened.value }
    const tag_updated_at = opened ? opened.tag_updated_at : namedAt(column)
    if (tag_updated_at) group.tag_updated_at = tag_updated_at
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** So many items are not seen at once: that they are written is said. */
const MANY = 20

/** Writes values, says what came of it, and lets it be taken back. */
export async function saveCells(
  edits: ItemEdits,
  cellEdits: readonly CellEdit[],
  words: string,
): Promise<void> {
  const groups = grouped(cellEdits)
  const { faults, change_ids, replaced } = await saveAll(edits, groups)
  if (faults.length) toast({ text: refusalOf(faults, groups.length), kind: 'danger' })
  else if (groups.length > MANY) toast({ text: `${words}. Ctrl Z takes it back.` })
  else say(words)
  keepUndoable({ words, change_ids })
  const [only] = cellEdits
  if (only && replaced.length)
    tellReplaced(
      `${only.column.label} of ${only.row.name}`,
      cellText(only.column, replaced[0], (id) => knownItemName(id) ?? id),
    )
}
