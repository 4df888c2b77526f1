import { useLocation } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import { useTableState } from '#web/data/table-state.ts'
import { TableView } from '#web/table/table-view.tsx'

const NO_TAGS: readonly never[] = []

/** All items, whatever their tags. */
export function ItemsPage() {
  const [state, change] = useTableState()
  const mayWrite = useMayWrite()
  const [, go] = useLocation()
  return (
    <TableView
      title="Items"
      base={null}
      tags={NO_TAGS}
      state={state}
      onState={change}
      storageKey="items"
      readOnly={!mayWrite}
      onOpen={(item_id) => go(`/items/${item_id}`)}
    />
  )
}
