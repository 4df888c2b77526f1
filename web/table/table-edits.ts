import { Fault } from '#web/api/fault.ts'
import type { CellPlace, ItemEdits } from '#web/data/item-edits.ts'
import type { Row } from '#web/data/row-source.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import { cellValue } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'

/** A value for a cell. */
export interface Write {
  row: Row
  column: Column
  value: unknown
}

export const placeOf = (row: Row, column: Column): CellPlace =>
  column.kind === 'field'
    ? { item_id: row.item_id, tag_id: column.tag.tag_id, field: column.field.name }
    : { item_id: row.item_id, tag_id: null, field: 'name' }

interface Group {
  item_id: string
  tag_id: string | null
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** One call for each item and tag, whatever is written to it. */
function grouped(writes: readonly Write[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { row, column, value } of writes) {
    const { item_id, tag_id, field } = placeOf(row, column)
    const key = `${item_id} ${tag_id}`
    const group = groups.get(key) ?? { item_id, tag_id, before: {}, after: {} }
    group.before[field] = cellValue(column, row)
    group.after[field] = value
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** At once as many calls as a browser has connections. */
const AT_ONCE = 5

async function saveAll(
  edits: ItemEdits,
  groups: readonly Group[],
  pick: (group: Group) => Record<string, unknown>,
): Promise<Fault[]> {
  const faults: Fault[] = []
  const left = groups.values()
  const work = async () => {
    for (const group of left) {
      const saved = await edits.saveTogether(group.item_id, group.tag_id, pick(group))
      if (saved instanceof Fault) faults.push(saved)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return faults
}

/** Writes values, says what came of it, and lets it be taken back. */
export async function write(edits: ItemEdits, writes: readonly Write[], words: string): Promise<void> {
  const groups = grouped(writes)
  const faults = await saveAll(edits, groups, ({ after }) => after)
  if (faults.length) {
    const [{ message }] = faults as [Fault]
    toast({
      text: groups.length > 1 ? `${faults.length} of ${groups.length} items refused it: ${message}` : message,
      kind: 'danger',
    })
  } else say(words)
  if (faults.length === groups.length) return
  const again = async (pick: (group: Group) => Record<string, unknown>) => {
    const [fault] = await saveAll(edits, groups, pick)
    if (fault) throw fault
  }
  keepUndoable({ words, undo: () => again(({ before }) => before), redo: () => again(({ after }) => after) })
}
