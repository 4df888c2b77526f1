import { Fault } from '#web/api/fault.ts'
import type { ItemEdits } from '#web/data/item-edits.ts'
import type { TagEdit } from '#web/data/send-edit.ts'
import { keepUndoable, undoLast } from '#web/data/undo-stack.ts'
import { toast } from '#web/parts/toast.tsx'

/** Items of one change. Fewer of them are not felt longer, and more would wait without a sign. */
const AT_ONCE = 500

/** Saves many, some hundred at a time. */
export async function saveAll(
  edits: ItemEdits,
  groups: readonly TagEdit[],
): Promise<{ faults: Fault[]; change_ids: string[]; replaced: unknown[] }> {
  const faults: Fault[] = []
  const replaced: unknown[] = []
  const change_ids = new Set<string>()
  for (let i = 0; i < groups.length; i += AT_ONCE) {
    const some = groups.slice(i, i + AT_ONCE)
    const [only] = some
    const all = some.length === 1 ? [await edits.saveTogether(only!)] : await edits.saveMany(some)
    for (const saved of all)
      if (saved instanceof Fault) faults.push(saved)
      else {
        if (saved.change_id) change_ids.add(saved.change_id)
        replaced.push(...Object.values(saved.replaced ?? {}))
      }
  }
  return { faults, change_ids: [...change_ids].toSorted(), replaced }
}

/** Characters of what others had written. */
const MOST = 80

/** What was typed has taken the place of what somebody else wrote while an editor was open: it is said, and can be had again. */
export function tellReplaced(what: string, theirs: string): void {
  const said = theirs.length > MOST ? `${theirs.slice(0, MOST)} …` : theirs
  toast({
    text: `Somebody changed ${what} to ${said ? `“${said}”` : 'nothing'} while you typed. Yours has taken its place.`,
    action: { label: 'Undo', run: () => void undoLast() },
  })
}

/** Why some of so many items were not saved. */
export const refusalOf = ([first, ...more]: readonly Fault[], count: number): string => {
  const message = first?.message ?? ''
  return count > 1 ? `${more.length + 1} of ${count} items refused it: ${message}` : message
}

/** Moves items to the present version of a tag, says what came of it, and lets it be taken back. */
export async function bringUp(
  edits: ItemEdits,
  tag_id: string,
  items: readonly { item_id: string; name: string }[],
): Promise<void> {
  const { faults, change_ids } = await saveAll(
    edits,
    items.map(({ item_id }) => ({ item_id, tag_id, values: {} })),
  )
  const words = `Brought ${items.length === 1 ? items[0]!.name : `${items.length} items`} up to date`
  keepUndoable({ words, change_ids })
  if (faults.length) toast({ text: refusalOf(faults, items.length), kind: 'danger' })
  else toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
}
