import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { applyTag } from '#web/api/operations.ts'
import { type Item, itemQuery } from '#web/data/item-query.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { useActions } from '#web/parts/action.ts'
import { Icon } from '#web/parts/icon.tsx'
import { say } from '#web/parts/live-region.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { toast } from '#web/parts/toast.tsx'
import css from '#web/item/add-tag.module.css'

/** The tags that the item has not yet. */
export function AddTag({ item, tags }: { item: Item; tags: readonly Tag[] }) {
  const button = useRef<HTMLButtonElement>(null)
  const add = useAddTag(item)
  const left = tags.filter(({ tag_id }) => !item.data[tag_id])
  useActions(
    left.length
      ? [
          {
            id: 'item.tag',
            title: 'Add a tag',
            keys: 't',
            group: 'Item',
            run: () => button.current?.click(),
          },
        ]
      : [],
  )
  if (!left.length) return null
  return (
    <div>
      <Menu
        buttonRef={button}
        buttonClassName={css.button}
        button={
          <>
            <Icon name="plus" /> Add tag
          </>
        }
        entries={left.map((tag) => ({
          label: tag.name,
          sign: <TagSign tag={tag.tag_id} />,
          run: () => void add(tag),
        }))}
      />
    </div>
  )
}

function useAddTag(item: Item) {
  const client = useQueryClient()
  const { item_id, name } = item
  const renew = () => client.invalidateQueries({ queryKey: itemQuery(item_id).queryKey })
  const running = useRef(new Set<string>())
  const apply = async (tag: Tag) => {
    const input = { item_id, tag: { tag_ref: { Existing: tag.tag_id } } }
    const added = await call(applyTag, input).catch(toFault)
    if (added instanceof Fault) return toast({ text: added.message, kind: 'danger' })
    const words = `Added ${tag.name} to ${name}`
    say(words)
    keepChange(words, added.change_id)
    await renew()
  }
  return async (tag: Tag) => {
    if (running.current.has(tag.tag_id)) return
    running.current.add(tag.tag_id)
    await apply(tag)
    running.current.delete(tag.tag_id)
  }
}
