import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { removeTag } from '#web/api/operations.ts'
import { type Item, itemQuery } from '#web/data/item-query.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { bringUp } from '#web/data/save-all.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { ItemValue } from '#web/item/item-value.tsx'
import type { SavedEdits } from '#web/item/use-saved-edits.ts'
import type { ValueParts } from '#web/item/value-parts.ts'
import { Button, IconButton } from '#web/parts/button.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { cellValue, type CellRow, outdatedFault, whyReadOnly } from '#web/rules/cell-value.ts'
import { fieldColumns } from '#web/rules/column.ts'
import { isOpenAt } from '#web/rules/variant-look.ts'
import css from '#web/item/tag-card.module.css'

interface TagCardProps {
  item: Item
  tag: Tag
  saved: SavedEdits
  mayWrite: boolean
  parts: ValueParts
}

/** One tag of an item with its values; sub-fields are under their Select as long as they count. */
export function TagCard({ item, tag, saved, mayWrite, parts }: TagCardProps) {
  const { tag_id, name } = tag
  const { edits } = saved
  const stored = useMemo<CellRow>(() => ({ ...item, tags: item.data }), [item])
  const row = useSyncExternalStore(edits.subscribe, () => edits.shown(stored))
  const columns = useMemo(() => fieldColumns(tag, false), [tag])
  const shown = columns.filter((column) => !whyReadOnly(column, row) || cellValue(column, row) !== null)
  const isOld = (item.data[tag_id]?.schema_version ?? tag.schema_version) < tag.schema_version
  const remove = useRemoveTag(item, tag)
  const renew = async () => {
    await bringUp(edits, tag_id, [row])
    itemsChanged([item.item_id])
  }
  const [isBusy, alone] = useBusy()
  return (
    <section className={css.card} aria-labelledby={`tag-${tag_id}`}>
      <header className={css.header}>
        <h2 id={`tag-${tag_id}`} className={css.title}>
          <Link href={`/tags/${tag_id}`}>
            <TagSign tag={tag_id} /> {name}
          </Link>
        </h2>
        {isOld && mayWrite && (
          <Button
            kind="quiet"
            icon="redo"
            title="The values are of an earlier version of the tag"
            disabled={isBusy}
            onClick={() => void alone(renew)}
          >
            Bring up to date
          </Button>
        )}
        {mayWrite && (
          <IconButton
            icon="close"
            label={`Remove ${name}`}
            disabled={isBusy}
            onClick={() => void alone(remove)}
          />
        )}
      </header>
      {shown.length ? (
        <dl className={css.values}>
          {shown.map((column) => (
            <ItemValue
              key={column.key}
              item_id={row.item_id}
              name={row.name}
              column={column}
              value={cellValue(column, row)}
              isOpen={isOpenAt(column, row)}
              outdated={outdatedFault(column, row)}
              saved={saved}
              canEdit={mayWrite && !whyReadOnly(column, row)}
              parts={parts}
            />
          ))}
        </dl>
      ) : (
        <p className={css.none}>This tag has no fields.</p>
      )}
    </section>
  )
}

function useRemoveTag(item: Item, { tag_id, name }: Tag): () => Promise<void> {
  const client = useQueryClient()
  const { item_id } = item
  const renew = () => client.invalidateQueries({ queryKey: itemQuery(item_id).queryKey })
  return async () => {
    const removed = await call(removeTag, { item_id, tag_id }).catch(toFault)
    if (removed instanceof Fault) return toast({ text: removed.message, kind: 'danger' })
    const words = `Removed ${name} from ${item.name}`
    keepChange(words, removed.change_id)
    toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
    await renew()
  }
}
