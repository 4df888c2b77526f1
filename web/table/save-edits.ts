import { Fault } from '#web/api/fault.ts'
import type { ItemEdits, TagEdit } from '#web/data/item-edits.ts'
import type { CellPlace } from '#web/data/pending-edits.ts'
import type { Row } from '#web/data/row-source.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import type { Column } from '#web/rules/column.ts'

/** A value for a cell. */
export interface CellEdit {
  row: Row
  column: Column
  value: unknown
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
  for (const { row, column, value } of cellEdits) {
    const { item_id, tag_id, field } = placeOf(row, column)
    const key = `${item_id} ${tag_id}`
    const { name, updated_at } = row
    const group = groups.get(key) ?? { item_id, tag_id, values: {}, seen: { name, updated_at } }
    group.values[field] = value
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Items of one change. Fewer of them are not felt longer, and more would wait without a sign. */
const AT_ONCE = 500

/** Saves many, some hundred at a time. */
export async function saveAll(
  edits: ItemEdits,
  groups: readonly TagEdit[],
): Promise<{ faults: Fault[]; change_ids: string[] }> {
  const faults: Fault[] = []
  const change_ids = new Set<string>()
  for (let i = 0; i < groups.length; i += AT_ONCE) {
    const some = groups.slice(i, i + AT_ONCE)
    const [only] = some
    const all = some.length === 1 ? [await edits.saveTogether(only!)] : await edits.saveMany(some)
    for (const saved of all)
      if (saved instanceof Fault) faults.push(saved)
      else if (saved.change_id) change_ids.add(saved.change_id)
  }
  return { faults, change_ids: [...change_ids].toSorted() }
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
  const { faults, change_ids } = await saveAll(edits, groups)
  if (faults.length) {
    const [{ message }] = faults as [Fault]
    toast({
      text: groups.length > 1 ? `${faults.length} of ${groups.length} items refused it: ${message}` : message,
      kind: 'danger',
    })
  } else if (groups.length > MANY) toast({ text: `${words}. Ctrl Z takes it back.` })
  else say(words)
  keepUndoable({ words, change_ids })
}
