import type { Dated } from '#web/layout/calendar-props.ts'
import { timeOf } from '#web/layout/calendar-day.tsx'
import type { Schedule } from '#web/rules/schedule.ts'
import { type Reader, sayTyped } from '#web/rules/typed-date.ts'
import css from '#web/layout/calendar.module.css'

interface DayListProps {
  day: string
  items: readonly Dated[]
  schedule: Schedule
  reader: Reader
  onOpen: (item_id: string) => void
}

/** On a phone: what is on the day that was tapped. */
export function DayList({ day, items, schedule, reader, onOpen }: DayListProps) {
  const here = items.filter(({ span }) => span.from <= day && span.until >= day)
  return (
    <section className={css.list} aria-label={sayTyped(day, reader)}>
      <h3>{sayTyped(day, reader)}</h3>
      {here.length === 0 && <p className={css.nothing}>Nothing on this day</p>}
      <ul>
        {here.map((item) => (
          <li key={item.row.item_id} data-item={item.row.item_id}>
            <button type="button" className={css.piece} onClick={() => onOpen(item.row.item_id)}>
              <span className={css.time}>{timeOf(schedule, item, reader)}</span> {item.row.name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
