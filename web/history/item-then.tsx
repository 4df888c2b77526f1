import { useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getItem } from '#web/api/operations.ts'
import { Dialog } from '#web/parts/dialog.tsx'
import { Note } from '#web/parts/note.tsx'
import { withoutMarkup } from '#web/rules/change-words.ts'
import { sayMoment } from '#web/rules/say-time.ts'
import { ValueChange } from '#web/history/value-change.tsx'
import css from '#web/history/item-then.module.css'

interface ItemThenProps {
  item_id: string
  as_of: string
  onClose: () => void
}

/** The item as it was right after a change. */
export function ItemThen({ item_id, as_of, onClose }: ItemThenProps) {
  const { data, error } = useQuery({
    queryKey: ['item-then', item_id, as_of],
    queryFn: async ({ signal }) => (await call(getItem, { item_id, as_of }, { signal })).data,
    staleTime: Infinity,
  })
  return (
    <Dialog title={`As of ${sayMoment(as_of)}`} width="wide" onClose={onClose}>
      {error && <Note kind="danger">{error.message}</Note>}
      {data && (
        <article className={css.then}>
          <h2>{data.name}</h2>
          {data.description && <p className={css.text}>{withoutMarkup(data.description)}</p>}
          {Object.entries(data.data).map(([tag_id, { tag_name, field_values }]) => (
            <section key={tag_id} className={css.tag}>
              <h3>{tag_name}</h3>
              {Object.entries(field_values)
                .filter(([, value]) => value !== null)
                .map(([field, value]) => (
                  <ValueChange key={field} change={{ path: field, old: undefined, new: value }} only />
                ))}
            </section>
          ))}
        </article>
      )}
    </Dialog>
  )
}
