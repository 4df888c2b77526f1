import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'wouter'
import { type Item, itemQuery } from '#web/data/item-query.ts'
import { keepSeen } from '#web/data/lately-seen.ts'
import { meQuery } from '#web/data/me-query.ts'
import { ItemHistory } from '#web/history/item-history.tsx'
import { ItemView } from '#web/item/item-view.tsx'
import type { ValueParts } from '#web/item/value-parts.ts'
import { PinButton } from '#web/pages/pin-button.tsx'
import { CellEditor } from '#web/table/cell-editor.tsx'
import { OpenValue } from '#web/table/open-value.tsx'
import { CellView } from '#web/table/cell-view.tsx'

/** Values look here as in a table, and are edited by the same editors. */
const PARTS: ValueParts = { View: CellView, Editor: CellEditor, Open: OpenValue }

const historyOf = ({ item_id, updated_at }: Item) => <ItemHistory item_id={item_id} updated_at={updated_at} />

/** One item. */
export function ItemPage() {
  const item_id = useParams<{ id: string }>().id.toUpperCase()
  const name = useQuery(itemQuery(item_id)).data?.name
  const me = useQuery(meQuery).data?.user_id
  const isThere = name !== undefined
  useEffect(() => {
    if (me !== undefined && isThere) keepSeen(me, item_id)
  }, [me, isThere, item_id])
  useEffect(() => {
    if (name) document.title = `${name} · Facet`
  }, [name])
  return (
    <ItemView
      key={item_id}
      item_id={item_id}
      parts={PARTS}
      tools={<PinButton id={item_id} />}
      history={historyOf}
    />
  )
}
