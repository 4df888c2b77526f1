import { useEffect, useRef } from 'react'
import { addDays, addMonths, partsOf, weekdayOf, weeksAround } from '#web/rules/calendar.ts'
import { MONTH_OF_YEAR } from '#web/rules/date-names.ts'
import { firstWeekdayOf, type Reader, sayTyped, todayOf } from '#web/rules/typed-date.ts'
import { IconButton } from '#web/parts/button.tsx'
import css from '#web/parts/calendar.module.css'

interface CalendarProps {
  id: string
  /** Where one is. */
  day: string
  reader: Reader
  onDay: (day: string) => void
  onTake: (day: string) => void
}

/** The id of the day where one is, for the box that has the focus meanwhile. */
export const dayId = (id: string): string => `${id}-day`

/** A month; the box next to it keeps the focus and hears its keys. */
export function Calendar({ id, day, reader, onDay, onTake }: CalendarProps) {
  const { year, month } = partsOf(day)
  const first = firstWeekdayOf(reader)
  const weeks = weeksAround(day, first)
  const today = todayOf(reader)
  const title = new Intl.DateTimeFormat(reader.locale, MONTH_OF_YEAR)
  const weekday = new Intl.DateTimeFormat(reader.locale, { weekday: 'short', timeZone: 'UTC' })
  const turn = (by: number) => onDay(addMonths(day, by) ?? day)
  // In a low window not all weeks are shown at once.
  const here = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'nearest' })
  }, [day])
  return (
    // The focus stays where it is.
    <div className={css.calendar} onMouseDown={(event) => event.preventDefault()} role="presentation">
      <div className={css.head}>
        <IconButton icon="chevron_left" label="Month before" tabIndex={-1} onClick={() => turn(-1)} />
        <span aria-live="polite">{title.format(timeOf(day))}</span>
        <IconButton icon="chevron_right" label="Next month" tabIndex={-1} onClick={() => turn(1)} />
      </div>
      <div className={css.days} role="grid" id={id} aria-label={`Days of ${month}/${year}`}>
        <div role="row" className={css.week}>
          {Array.from({ length: 7 }, (_, i) => (
            // The first of January 2024 was a Monday.
            <span key={i} role="columnheader" className={css.weekday}>
              {weekday.format(Date.UTC(2024, 0, first + i))}
            </span>
          ))}
        </div>
        {weeks.map((week, i) => (
          <div key={i} role="row" className={css.week}>
            {week.map((each, j) => (
              // The box next to it hears the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <span
                key={j}
                ref={each === day ? here : undefined}
                id={each === day ? dayId(id) : undefined}
                role="gridcell"
                className={css.day}
                aria-label={each === null ? undefined : sayTyped(each, reader)}
                aria-selected={each === day}
                aria-current={each === today ? 'date' : undefined}
                data-other={each !== null && partsOf(each).month === month ? undefined : true}
                onClick={() => each !== null && onTake(each)}
              >
                {each !== null && partsOf(each).day}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** Where a key leads in a calendar; undefined for one that does not move. */
export function movedDay(key: string, shiftKey: boolean, day: string, reader: Reader): string | undefined {
  const ofWeek = (weekdayOf(day) - firstWeekdayOf(reader) + 7) % 7
  const days: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -ofWeek,
    End: 6 - ofWeek,
  }
  const months: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 }
  const by = days[key]
  if (by !== undefined) return addDays(day, by) ?? day
  const turn = months[key]
  return turn === undefined ? undefined : (addMonths(day, turn * (shiftKey ? 12 : 1)) ?? day)
}
