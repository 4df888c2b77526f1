import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { backlinksQuery, mentionsQuery } from '#web/data/item-query.ts'
import { useItemName } from '#web/data/item-names.ts'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { useLate } from '#web/parts/use-late.ts'
import css from '#web/item/item-references.module.css'

/** Milliseconds after which somebody stays at an item. */
const STAY = 600

interface Group {
  /** `Task.assignee` */
  by: string
  ids: readonly string[]
}

/** What refers to the item, by tag and field; what it refers to stands among its values. */
export function ItemReferences({ item_id }: { item_id: string }) {
  const backlinks = useQuery(backlinksQuery(item_id))
  // Texts are read through for it: not of each item that is passed by.
  const isStayed = useLate(STAY)
  const { data: mentions = [] } = useQuery({ ...mentionsQuery(item_id), enabled: isStayed })
  const { links = [], total = 0 } = backlinks.data ?? {}
  const by = grouped(
    links.map(({ item_id, tag_name, field }) => ({ by: `${tag_name}.${field}`, id: item_id })),
  )
  const isReferred = !backlinks.isSuccess || by.length > 0
  if (!isReferred && !mentions.length) return null
  return (
    <aside className={css.references} aria-label="References">
      {isReferred && (
        <>
          <h2 className={css.title}>
            Referred to by {total > 0 && <span className={css.count}>{total}</span>}
          </h2>
          <div className={css.groups}>
            <Groups groups={by} />
          </div>
          {backlinks.error && <FaultLine>{backlinks.error.message}</FaultLine>}
          {total > links.length && <p className={css.none}>and {total - links.length} more</p>}
        </>
      )}
      {mentions.length > 0 && (
        <>
          <h2 className={css.title}>Mentioned in</h2>
          <ul className={css.list} aria-label="Mentioned in">
            {mentions.map((id) => (
              <li key={id}>
                <ItemLink item_id={id} />
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  )
}

function grouped(links: readonly { by: string; id: string }[]): Group[] {
  const groups = Map.groupBy(links, ({ by }) => by)
  return [...groups].map(([by, each]) => ({ by, ids: [...new Set(each.map(({ id }) => id))] }))
}

function Groups({ groups }: { groups: readonly Group[] }) {
  return groups.map(({ by, ids }) => (
    <div key={by} className={css.group}>
      <h3 className={css.by}>{by}</h3>
      <ul className={css.list}>
        {ids.map((id) => (
          <li key={id}>
            <ItemLink item_id={id} />
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** An item by its name, that leads to it. */
export function ItemLink({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  if (name === undefined) return <span className={css.waiting}>…</span>
  return (
    <Link href={`/items/${item_id}`} className={css.link}>
      {name === null ? <s title={item_id}>deleted item</s> : name}
    </Link>
  )
}
