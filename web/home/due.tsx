import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { type Due, dueQuery } from '#web/data/due-query.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { Section } from '#web/home/section.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { type DueField, dueFields, dueFilter } from '#web/rules/due-fields.ts'
import { daysFromNow, sayDateFromNow, sayMomentFromNow } from '#web/rules/relative-time.ts'
import { sayDate, sayMoment, today } from '#web/rules/say-time.ts'
import css from '#web/home/due.module.css'

/** What is due within a week, and what is late. */
export function DueSoon({ tags }: { tags: readonly Tag[] }) {
  const fields = useMemo(() => dueFields(tags), [tags])
  const { items = [], total = 0 } = useQuery(dueQuery(fields)).data ?? {}
  if (!items.length) return null
  const by = fields.filter(({ key }) => items.some(({ field }) => field.key === key))
  return (
    <Section
      title="Due"
      more={
        total > items.length &&
        by.length === 1 && <Link href={tableOf(by[0]!)}>All {total.toLocaleString()}</Link>
      }
    >
      <ul className={css.list}>
        {items.map((each) => (
          <Line key={`${each.item_id} ${each.field.key}`} due={each} />
        ))}
      </ul>
      {total > items.length && by.length > 1 && (
        <p className={css.more}>and {(total - items.length).toLocaleString()} more</p>
      )}
    </Section>
  )
}

const tableOf = (field: DueField) =>
  `/tags/${field.tag_id}?${new URLSearchParams({ f: JSON.stringify(dueFilter(field)), s: field.key })}`

function Line({ due: { item_id, name, field, at } }: { due: Due }) {
  const isDay = at.length === 10
  const day = isDay ? at : today(new Date(at))
  const isLate = (daysFromNow(day) ?? 0) < 0
  return (
    <li>
      <Link href={`/items/${item_id}`} className={css.line}>
        <TagSign tag={field.tag_id} />
        <span className={css.name}>{name}</span>
        <small className={css.field}>{field.name}</small>
        <time
          dateTime={at}
          className={css.when}
          data-late={isLate || undefined}
          title={isDay ? sayDate(at) : sayMoment(at)}
        >
          {isDay ? sayDateFromNow(at) : sayMomentFromNow(at)}
        </time>
      </Link>
    </li>
  )
}
