import { useRef, useState } from 'react'
import type { Item } from '#web/data/item-query.ts'
import { draftOf } from '#web/item/description-drafts.ts'
import { DescriptionEditor } from '#web/item/description-editor.tsx'
import { useTicks } from '#web/item/use-ticks.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import css from '#web/item/item-description.module.css'
import { loaded } from '#web/parts/loaded.tsx'

const CleanText = loaded(() => import('#web/item/clean-text.tsx').then(({ CleanText }) => CleanText))

interface ItemDescriptionProps {
  item: Item
  mayWrite: boolean
}

/** Read clean; E edits it. */
export function ItemDescription({ item, mayWrite }: ItemDescriptionProps) {
  const [isEdited, setEdited] = useState(() => mayWrite && draftOf(item.item_id) !== undefined)
  const button = useRef<HTMLButtonElement>(null)
  const edit = () => setEdited(true)
  useActions(
    mayWrite && !isEdited
      ? [{ id: 'item.describe', title: 'Edit the description', keys: 'e', group: 'Item', run: edit }]
      : [],
  )
  const { html: description, tick } = useTicks(item)
  if (isEdited)
    return (
      <DescriptionEditor
        item={item}
        onDone={() => {
          setEdited(false)
          setTimeout(() => button.current?.focus())
        }}
      />
    )
  if (!description && !mayWrite) return null
  return (
    <section className={css.description} aria-label="Description">
      {description && <CleanText html={description} onTick={mayWrite ? tick : undefined} />}
      {mayWrite && (
        <Button ref={button} kind="quiet" icon="edit" className={css.edit} onClick={edit}>
          {description ? 'Edit description' : 'Add a description'}
        </Button>
      )}
    </section>
  )
}
