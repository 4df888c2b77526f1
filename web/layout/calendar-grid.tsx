import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { CalendarDay } from '#web/layout/calendar-day.tsx'
import type { CalendarGridProps } from '#web/layout/calendar-props.ts'
import { useCalendarKeys } from '#web/layout/use-calendar-keys.ts'
import { useCurrent } from '#web/parts/use-current.ts'
import { partsOf } from '#web/rules/calendar.ts'
import { piecesOf, shownPieces } from '#web/rules/schedule.ts'
import { firstWeekdayOf } from '#web/rules/typed-date.ts'
import css from '#web/layout/calendar.module.css'

/** Pixels of one line of items, and of the number of a day above them. */
const LINE = 26
const NUMBER = 30
/** On a screen too low for more. */
const LEAST = 2
/** Of a week alone: all are shown. */
const ALL = 1000

/** The days, week by week. */
export function CalendarGrid(props: CalendarGridProps) {
  const { day, weeks, items, reader, layout, isPhone } = props
  const grid = useRef<HTMLDivElement>(null)
  const [adding, setAdding] = useState<string | null>(null)
  const room = useRoom(grid, weeks.length)
  // On a phone the day that is chosen lists its items below.
  const lines = isPhone ? 0 : layout.week ? ALL : room
  const laid = useMemo(
    () =>
      weeks.map((week) => {
        const pieces = piecesOf(week, items)
        return { week, pieces, ...shownPieces(pieces, week.length, lines) }
      }),
    [weeks, items, lines],
  )
  const { onKeyDown, focusDay } = useCalendarKeys({ ...props, grid, onAdding: setAdding })
  const peek = useCurrent(props.onPeek)
  const weekday = new Intl.DateTimeFormat(reader.locale, {
    weekday: isPhone ? 'narrow' : 'short',
    timeZone: 'UTC',
  })
  const longDay = new Intl.DateTimeFormat(reader.locale, { weekday: 'long', timeZone: 'UTC' })
  const first = firstWeekdayOf(reader)
  const month = partsOf(day).month
  return (
    <div
      ref={grid}
      className={css.grid}
      role="grid"
      aria-label="Days"
      data-week={layout.week || undefined}
      style={{
        gridTemplateRows: `auto repeat(${weeks.length}, minmax(${isPhone ? 48 : NUMBER + LEAST * LINE}px, 1fr))`,
      }}
      onKeyDown={onKeyDown}
    >
      <div role="row" className={css.week}>
        {Array.from({ length: 7 }, (_, i) => {
          // The first of January 2024 was a Monday.
          const time = Date.UTC(2024, 0, first + i)
          return (
            <span key={i} role="columnheader" className={css.weekday} aria-label={longDay.format(time)}>
              {weekday.format(time)}
            </span>
          )
        })}
      </div>
      {laid.map(({ week, pieces, shown, hidden }) => (
        <div
          key={week[0]}
          role="row"
          className={css.week}
          {...(layout.week &&
            !isPhone && {
              style: { minHeight: NUMBER + LINE * (1 + Math.max(0, ...pieces.map(({ lane }) => lane + 1))) },
            })}
        >
          {week.map((each, place) => (
            <CalendarDay
              key={each}
              {...props}
              date={each}
              peek={peek}
              isHere={each === day}
              isOther={!layout.week && partsOf(each).month !== month}
              shown={shown.filter((piece) => piece.first === place)}
              all={pieces.filter((piece) => place >= piece.first && place < piece.first + piece.length)}
              hidden={hidden[place]!}
              room={lines}
              isAdding={adding === each}
              onAdding={(on) => {
                setAdding(on ? each : null)
                if (!on) focusDay(each)
              }}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

/** How many lines of items fit into a day. */
function useRoom(grid: RefObject<HTMLDivElement | null>, weeks: number): number {
  const [room, setRoom] = useState(3)
  useLayoutEffect(() => {
    const measure = () => {
      const height = grid.current!.lastElementChild!.getBoundingClientRect().height
      setRoom(Math.max(LEAST, Math.floor((height - NUMBER) / LINE)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(grid.current!)
    return () => observer.disconnect()
  }, [grid, weeks])
  return room
}
