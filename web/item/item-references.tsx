import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { backlinksQuery, type Item } from '#web/data/item-query.ts'
import { useItemName } from '#web/data/item-names.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { cellValue } from '#web/rules/cell-value.ts'
import { columnsOf } from '#web/rules/column.ts'
import { FaultLine } from '#web/parts/fault-line.tsx'
import css from '#web/item/item-references.module.css'

interface Group {
  /** `Task.assignee` */
  by: string
  ids: readonly string[]
}

/** What the item refers to and what refers to it, by tag and field. */
export function ItemReferences({ item, tags }: { item: Item; tags: readonly Tag[] }) {
  const backlinks = useQuery(backlinksQuery(item.item_id))
  const { links = [], total = 0 } = backlinks.data ?? {}
  const to = referredTo(item, tags)
  const by = grouped(
    links.map(({ item_id, tag_name, field }) => ({ by: `${tag_name}.${field}`, id: item_id })),
  )
  return (
    <aside className={css.references} aria-label="References">
      <section>
        <h2 className={css.title}>Refers to</h2>
        {to.length ? <Groups groups={to} /> : <p className={css.none}>No other item</p>}
      </section>
      <section>
        <h2 className={css.title}>
          Referred to by {total > 0 && <span className={css.count}>{total}</span>}
        </h2>
        {by.length > 0 && <Groups groups={by} />}
        {backlinks.isSuccess && !by.length && <p className={css.none}>No other item</p>}
        {backlinks.error && <FaultLine>{backlinks.error.message}</FaultLine>}
        {total > links.length && <p className={css.none}>and {total - links.length} more</p>}
      </section>
    </aside>
  )
}

function referredTo(item: Item, tags: readonly Tag[]): Group[] {
  const row = { ...item, tags: item.data }
  return grouped(
    tags
      .filter(({ tag_id }) => item.data[tag_id])
      .flatMap((tag) => columnsOf([tag]).map((column) => ({ tag, column })))
      .flatMap(({ tag, column }) => {
        if (column.kind !== 'field' || !/Reference/.test(column.field.type)) return []
        const value = cellValue(column, row)
        const ids = Array.isArray(value) ? value : [value]
        return ids
          .filter((id) => typeof id === 'string')
          .map((id) => ({ by: `${tag.name}.${column.field.name}`, id }))
      }),
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

function ItemLink({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  if (name === undefined) return <span className={css.waiting}>…</span>
  return (
    <Link href={`/items/${item_id}`} className={css.link}>
      {name === null ? <s title={item_id}>deleted item</s> : name}
    </Link>
  )
}
