import type { ItemEdits, TagEdit } from '#web/data/item-edits.ts'
import { keepUndoable, undoLast } from '#web/data/undo-stack.ts'
import { toast } from '#web/parts/toast.tsx'
import { saveAll } from '#web/table/save-edits.ts'

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
  const [fault] = faults
  if (fault)
    toast({
      text:
        moves.length > 1
          ? `${faults.length} of ${moves.length} items refused it: ${fault.message}`
          : fault.message,
      kind: 'danger',
    })
  else toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
  return !fault
}
