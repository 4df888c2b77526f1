import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { readTableState, type TableState, writeTableState } from '#web/rules/table-state.ts'

/** Changes some of the state; `replace`: Back does not lead to what was before. */
export type ChangeTableState = (change: Partial<TableState>, options?: { replace?: boolean }) => void

/** The state of the table in the address, so that Back, reload and a copied link restore it. */
export function useTableState(): [TableState, ChangeTableState] {
  const search = useSearch()
  const [path, go] = useLocation()
  const state = useMemo(() => readTableState(search), [search])
  const change: ChangeTableState = (changes, { replace = false } = {}) => {
    // As it is at this moment: two changes in one turn both count.
    const query = writeTableState({ ...readTableState(location.search), ...changes })
    go(query ? `${path}?${query}` : path, { replace })
  }
  return [state, change]
}
