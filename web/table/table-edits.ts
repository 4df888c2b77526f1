import { Fault } from '#web/api/fault.ts'
import type { CellPlace, ItemEdits } from '#web/data/item-edits.ts'
import type { Row } from '#web/data/row-source.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
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
  after: Record<string, unknown>
}

/** One call for each item and tag, whatever is written to it. */
function grouped(writes: readonly Write[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { row, column, value } of writes) {
    const { item_id, tag_id, field } = placeOf(row, column)
    const key = `${item_id} ${tag_id}`
    const group = groups.get(key) ?? { item_id, tag_id, after: {} }
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
): Promise<{ faults: Fault[]; change_ids: string[] }> {
  const faults: Fault[] = []
  const change_ids: string[] = []
  const left = groups.values()
  const work = async () => {
    for (const group of left) {
      const saved = await edits.saveTogether(group.item_id, group.tag_id, group.after)
      if (saved instanceof Fault) faults.push(saved)
      else if (saved.change_id) change_ids.push(saved.change_id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { faults, change_ids: change_ids.toSorted() }
}

/** Writes values, says what came of it, and lets it be taken back. */
export async function write(edits: ItemEdits, writes: readonly Write[], words: string): Promise<void> {
  const groups = grouped(writes)
  const { faults, change_ids } = await saveAll(edits, groups)
  if (faults.length) {
    const [{ message }] = faults as [Fault]
    toast({
      text: groups.length > 1 ? `${faults.length} of ${groups.length} items refused it: ${message}` : message,
      kind: 'danger',
    })
  } else say(words)
  keepUndoable({ words, change_ids })
}
