import type { KeyboardEvent } from 'react'
import { Link } from 'wouter'
import type { Item } from '#web/data/item-query.ts'
import { ItemView } from '#web/item/item-view.tsx'
import type { ValueParts } from '#web/item/value-parts.ts'
import { IconButton } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { loaded } from '#web/parts/loaded.tsx'
import { CellEditor } from '#web/table/cell-editor.tsx'
import { OpenValue } from '#web/table/open-value.tsx'
import { CellView } from '#web/table/cell-view.tsx'
import css from '#web/pages/item-beside.module.css'

const PARTS: ValueParts = { View: CellView, Editor: CellEditor, Open: OpenValue }

const ItemHistory = loaded(() =>
  import('#web/history/item-history.tsx').then(({ ItemHistory }) => ItemHistory),
)
const historyOf = ({ item_id, updated_at }: Item) => <ItemHistory item_id={item_id} updated_at={updated_at} />

interface ItemBesideProps {
  item_id: string
  onClose: () => void
}

/** An item next to its table: whole, and edited in place. */
export function ItemBeside({ item_id, onClose }: ItemBesideProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    <aside className={css.beside} aria-label="Item" onKeyDown={onKeyDown}>
      <div className={css.tools}>
        <Link
          href={`/items/${item_id}`}
          className={css.whole}
          aria-label="Open as a page"
          title="Open as a page (Ctrl Enter)"
        >
          <Icon name="external" />
        </Link>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      <ItemView key={item_id} item_id={item_id} parts={PARTS} history={historyOf} />
    </aside>
  )
}
