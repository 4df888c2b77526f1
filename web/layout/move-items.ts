import type { ItemEdits } from '#web/data/item-edits.ts'
import type { TagEdit } from '#web/data/send-edit.ts'
import { refusalOf, saveAll } from '#web/data/save-all.ts'
import { keepUndoable, undoLast } from '#web/data/undo-stack.ts'
import { toast } from '#web/parts/toast.tsx'

/** Saves what was moved as one change, and offers to take it back; what is refused goes back by itself. */
export async function moveItems(
  edits: ItemEdits,
  moves: readonly TagEdit[],
  words: string,
): Promise<boolean> {
  const { faults, change_ids } = await saveAll(edits, moves)
  for (const { item_id, tag_id, values } of moves)
    for (const field of Object.keys(values)) edits.drop({ item_id, tag_id, field })
  keepUndoable({ words, change_ids })
  if (faults.length) toast({ text: refusalOf(faults, moves.length), kind: 'danger' })
  else toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
  return !faults.length
}
