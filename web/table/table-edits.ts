import { createContext, useState, useSyncExternalStore } from 'react'
import { ItemEdits } from '#web/data/item-edits.ts'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'

/** What is typed into the tables of a page: it stays where another layout or other groups take their place. */
export const TableEdits = createContext<ItemEdits | null>(null)

/** Those of one page, which asks before it is left with what was refused. */
export function useTableEdits(): ItemEdits {
  const [edits] = useState(() => new ItemEdits())
  useLeaveGuard(useSyncExternalStore(edits.subscribe, () => edits.failed > 0))
  return edits
}
