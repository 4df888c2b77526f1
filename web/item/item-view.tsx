import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { Fault, toFault } from '#web/api/fault.ts'
import { call } from '#web/api/call.ts'
import { deleteItem } from '#web/api/operations.ts'
import { duplicateItem } from '#web/data/duplicate-item.ts'
import { type Item, itemQuery, lastOfItemQuery } from '#web/data/item-query.ts'
import { keepItemName } from '#web/data/item-names.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { type Tag, useTags } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { AddTag } from '#web/item/add-tag.tsx'
import { DeletedItem } from '#web/item/deleted-item.tsx'
import { ItemDescription } from '#web/item/item-description.tsx'
import { ItemName } from '#web/item/item-name.tsx'
import { ItemReferences } from '#web/item/item-references.tsx'
import { TagCard } from '#web/item/tag-card.tsx'
import { useSavedEdits } from '#web/item/use-saved-edits.ts'
import type { ValueParts } from '#web/item/value-parts.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { isAbsent, NotShown } from '#web/parts/not-shown.tsx'
import { TagPill } from '#web/parts/tag-pill.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { sayMoment } from '#web/rules/say-time.ts'
import css from '#web/item/item-view.module.css'

const SaveTemplate = loadedDialog(() =>
  import('#web/item/save-template.tsx').then(({ SaveTemplate }) => SaveTemplate),
)

interface ItemViewProps {
  item_id: string
  parts: ValueParts
  /** Alongside what can be done with it. */
  tools?: ReactNode
  /** Under the item: its history. */
  history?: (item: Item) => ReactNode
}

/** An item whole, or what became of it. */
export function ItemView({ item_id, parts, tools, history }: ItemViewProps) {
  const { data: item, error, refetch } = useQuery(itemQuery(item_id))
  const tags = useTags()
  const mayWrite = useMayWrite()
  if (isAbsent(error)) return <DeletedItem item_id={item_id} mayWrite={mayWrite} />
  if (error && !item) return <NotShown what="item" error={error} onAgain={() => void refetch()} />
  if (!item || !tags) return null
  return <Live key={item_id} {...{ item, tags, mayWrite, parts, tools, history }} />
}

interface LiveProps {
  item: Item
  tags: readonly Tag[]
  mayWrite: boolean
  parts: ValueParts
  tools: ReactNode
  history: ItemViewProps['history']
}

function Live({ item, tags, mayWrite, parts, tools, history }: LiveProps) {
  const saved = useSavedEdits(item.item_id)
  const remove = useDelete(item)
  const duplicate = useDuplicate(item)
  const [isSaving, setSaving] = useState(false)
  const applied = tags.filter(({ tag_id }) => item.data[tag_id])
  const saveTemplate = () => setSaving(true)
  useActions(
    mayWrite
      ? [
          { id: 'item.delete', title: 'Delete this item', keys: '#', group: 'Item', run: remove },
          { id: 'item.duplicate', title: 'Duplicate this item', group: 'Item', run: duplicate },
          ...(applied.length
            ? [{ id: 'item.template', title: 'Save as a template', group: 'Item', run: saveTemplate }]
            : []),
        ]
      : [],
  )
  return (
    <article className={css.item}>
      <header className={css.header}>
        {applied.length > 0 && (
          <ul className={css.tags} aria-label="Tags of this item">
            {applied.map(({ tag_id, name }) => (
              <li key={tag_id}>
                <Link href={`/tags/${tag_id}`}>
                  <TagPill name={name} tag_id={tag_id} />
                </Link>
              </li>
            ))}
          </ul>
        )}
        <div className={css.name}>
          <ItemName item={item} saved={saved} mayWrite={mayWrite} />
        </div>
        <div className={css.tools}>
          {tools}
          {mayWrite && (
            <>
              <Button kind="quiet" icon="copy" onClick={duplicate}>
                Duplicate
              </Button>
              <Button kind="quiet" icon="trash" onClick={remove}>
                Delete
              </Button>
              {applied.length > 0 && (
                <Menu
                  label="More"
                  placement="bottom-end"
                  button={<Icon name="more" />}
                  entries={[{ label: 'Save as a template…', icon: 'copy', run: saveTemplate }]}
                />
              )}
            </>
          )}
        </div>
        <p className={css.times}>
          Created {sayMoment(item.created_at)}
          {sayMoment(item.updated_at) !== sayMoment(item.created_at) &&
            ` · changed ${sayMoment(item.updated_at)}`}
          {!mayWrite && ' · You may read this base, not change it.'}
        </p>
      </header>
      {(applied.length > 0 || (mayWrite && tags.length > 0)) && (
        <div className={css.properties}>
          {applied.map((tag) => (
            <TagCard key={tag.tag_id} item={item} tag={tag} saved={saved} mayWrite={mayWrite} parts={parts} />
          ))}
          {mayWrite && <AddTag item={item} tags={tags} />}
        </div>
      )}
      <ItemDescription item={item} mayWrite={mayWrite} />
      <ItemReferences item_id={item.item_id} />
      {history?.(item)}
      {isSaving && <SaveTemplate item={item} onClose={() => setSaving(false)} />}
    </article>
  )
}

/** Another one like it, which is opened. */
function useDuplicate(item: Item): () => void {
  const [, go] = useLocation()
  const [, alone] = useBusy()
  return () =>
    void alone(async () => {
      try {
        const { item_id, left_out } = await duplicateItem(item)
        if (left_out.length) toast({ text: `Not copied, as it no longer fits: ${left_out.join(', ')}` })
        go(`/items/${item_id}`)
      } catch (error) {
        toast({ text: (error as Error).message, kind: 'danger' })
      }
    })
}

function useDelete({ item_id, name }: Item): () => void {
  const client = useQueryClient()
  const renew = async () => {
    await client.invalidateQueries({ queryKey: lastOfItemQuery(item_id).queryKey })
    await client.invalidateQueries({ queryKey: itemQuery(item_id).queryKey })
  }
  const take = async () => {
    const deleted = await call(deleteItem, { item_id }).catch(toFault)
    if (deleted instanceof Fault) return toast({ text: deleted.message, kind: 'danger' })
    keepItemName(item_id, null)
    itemsChanged([item_id])
    const words = `Deleted ${name}`
    keepChange(words, deleted.change_id, renew)
    await renew()
    toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
  }
  return () => void take()
}
