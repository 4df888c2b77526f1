import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { migrateTagValues } from '#web/api/operations.ts'
import { useItemName } from '#web/data/item-names.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { toast } from '#web/parts/toast.tsx'
import css from '#web/tag/outdated-values.module.css'

const MOST = 20

/** Items that have an older version of the tag, and the way to bring them up to date: what fits, and what does not. */
export function OutdatedValues({ tag, mayWrite }: { tag: Tag; mayWrite: boolean }) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { data } = useQuery({
    queryKey: ['outdated', tag.tag_id, tag.schema_version],
    enabled: mayWrite && tag.schema_version > 1,
    queryFn: async ({ signal }) =>
      (await call(migrateTagValues, { tag_id: tag.tag_id, dry_run: true }, { signal })).data,
    staleTime: 0,
  })
  if (!data || (!data.migrated && !data.unfitting_count)) return null
  const migrate = async (drop_unfitting: boolean) => {
    setBusy(true)
    try {
      const { data: done, change_id } = await call(migrateTagValues, { tag_id: tag.tag_id, drop_unfitting })
      const words = `Brought ${many(done.migrated, 'item')} of ${tag.name} up to date`
      keepChange(words, change_id, () => client.invalidateQueries())
      toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
      await client.invalidateQueries()
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  const unfittingItems = new Set(data.unfitting.map(({ item_id }) => item_id)).size
  return (
    <Note kind="warn">
      {data.migrated > 0 && (
        <>
          <p>
            {many(data.migrated, 'item')} {data.migrated === 1 ? 'has' : 'have'} values of an older version of
            this tag that fit the present one.
          </p>
          <Button className={css.button} disabled={isBusy} onClick={() => void migrate(false)}>
            Bring {many(data.migrated, 'item')} up to date
          </Button>
        </>
      )}
      {data.unfitting_count > 0 && (
        <>
          <p>
            {many(data.unfitting_count, 'value')} of older versions{' '}
            {data.unfitting_count === 1 ? 'does' : 'do'} not fit:
          </p>
          <ul className={css.list}>
            {data.unfitting.slice(0, MOST).map(({ item_id, field, value }) => (
              <li key={`${item_id} ${field}`}>
                <ItemName item_id={item_id} />: {field} is{' '}
                <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
              </li>
            ))}
          </ul>
          {data.unfitting_count > MOST && <p>and {(data.unfitting_count - MOST).toLocaleString()} more</p>}
          <Button kind="danger" className={css.button} disabled={isBusy} onClick={() => void migrate(true)}>
            Drop them, and bring {unfittingItems === 1 ? 'the item' : 'the items'} up to date
          </Button>
        </>
      )}
    </Note>
  )
}

const many = (count: number, word: string) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`

function ItemName({ item_id }: { item_id: string }) {
  return <a href={`/items/${item_id}`}>{useItemName(item_id) ?? '…'}</a>
}
