import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CalendarGridProps, Timed } from '#web/layout/calendar-props.ts'
import { HourCell } from '#web/layout/hour-cell.tsx'
import { useHoursKeys } from '#web/layout/use-hours-keys.ts'
import { useNow } from '#web/parts/use-now.ts'
import { partsOf } from '#web/rules/calendar.ts'
import { FULL_DAY } from '#web/rules/date-names.ts'
import { HOUR, hoursOf, sideBySide, SLOT, slotKey, slotOf } from '#web/rules/hours.ts'
import { piecesOf } from '#web/rules/schedule.ts'
import { clockIn } from '#web/rules/zoned-clock.ts'
import css from '#web/layout/calendar-hours.module.css'

const SLOTS = Array.from({ length: (24 * HOUR) / SLOT }, (_, i) => i * SLOT)
/** At which a day is shown to begin, and at which Tab first leads into it. */
const MORNING = 8 * HOUR
/** Pixels of one line of what is on whole days. */
const LINE = 26

/** A week by its hours; above are the days on which something is as a whole. */
export function CalendarHours(props: CalendarGridProps) {
  const { day, weeks, items, schedule, reader, today } = props
  const week = weeks[0]!
  const grid = useRef<HTMLDivElement>(null)
  const [clock, setClock] = useState(9 * HOUR)
  const [adding, setAdding] = useState<string | null>(null)
  const { laid, whole } = useMemo(() => {
    const timed = items.flatMap((each): Timed[] => {
      const hours = hoursOf(schedule, each.row)
      return hours ? [{ ...each, ...hours }] : []
    })
    const slots = new Map<string, ReturnType<typeof sideBySide<Timed>>>()
    for (const date of week)
      for (const each of sideBySide(timed.filter((one) => one.day === date))) {
        const key = slotKey(date, slotOf(each.item.begin))
        slots.set(key, [...(slots.get(key) ?? []), each])
      }
    const rest = items.filter((each) => !timed.some(({ row }) => row === each.row))
    return { laid: slots, whole: piecesOf(week, rest) }
  }, [items, schedule, week])
  const { onKeyDown, focusSlot } = useHoursKeys({ ...props, grid, onClock: setClock, onAdding: setAdding })
  useFirstHour(grid, week[0]!, laid.keys())
  const weekday = new Intl.DateTimeFormat(reader.locale, { weekday: 'short', timeZone: 'UTC' })
  const longDay = new Intl.DateTimeFormat(reader.locale, { ...FULL_DAY, timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(reader.locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
  const now = clockIn(useNow(), reader.timeZone)
  const lanes = Math.max(0, ...whole.map(({ lane }) => lane + 1))
  return (
    <div ref={grid} className={css.hours} data-rolls role="grid" aria-label="Hours" onKeyDown={onKeyDown}>
      <div role="rowgroup" className={css.head}>
        <div role="row" className={css.row}>
          <span role="columnheader">
            <span className={css.spoken}>Time</span>
          </span>
          {week.map((date) => (
            <span
              key={date}
              role="columnheader"
              className={css.weekday}
              aria-label={longDay.format(Date.parse(date))}
              data-today={date === today || undefined}
            >
              {weekday.format(Date.parse(date))} <b>{partsOf(date).day}</b>
            </span>
          ))}
        </div>
        {lanes > 0 && (
          <div role="row" className={`${css.row} ${css.whole}`} style={{ height: lanes * LINE + 6 }}>
            <span role="rowheader" className={css.clock}>
              days
            </span>
            {week.map((date, place) => (
              <div key={date} role="gridcell" className={css.wholeDay} data-drop={date}>
                {whole
                  .filter(({ first }) => first === place)
                  .map(({ item: { row }, lane, length }) => (
                    <button
                      key={row.item_id}
                      type="button"
                      className={css.span}
                      data-item={row.item_id}
                      data-open={row.item_id === props.beside || undefined}
                      style={{ top: lane * LINE + 3, width: `calc(${length} * (100% + 1px) - 7px)` }}
                      title={row.name}
                      onClick={() => props.onPeek(row.item_id)}
                    >
                      {row.name}
                    </button>
                  ))}
              </div>
            ))}
          </div>
        )}
      </div>
      <div role="rowgroup">
        {SLOTS.map((slot) => (
          <div key={slot} role="row" className={css.row} data-hour={slot % HOUR === 0 || undefined}>
            <span role="rowheader" className={css.clock}>
              <span className={slot % HOUR ? css.spoken : undefined}>{time.format(slot)}</span>
            </span>
            {week.map((date) => {
              const key = slotKey(date, slot)
              const isNow = date === now.day && slotOf(now.clock) === slot
              return (
                <HourCell
                  key={date}
                  {...props}
                  date={date}
                  slot={slot}
                  time={time.format(slot)}
                  isHere={date === day && slot === clock}
                  laid={laid.get(key) ?? NONE}
                  nowAt={isNow ? (now.clock - slot) / SLOT : undefined}
                  isAdding={adding === key}
                  onAdding={(on) => {
                    setAdding(on ? key : null)
                    if (!on) focusSlot(key)
                  }}
                  onHere={() => {
                    setClock(slot)
                    props.onDay(date)
                  }}
                />
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}

const NONE: readonly never[] = []

/** A week is shown from the morning, or from its first item where that is earlier. */
function useFirstHour(
  grid: { readonly current: HTMLElement | null },
  week: string,
  keys: Iterable<string>,
): void {
  const seen = useRef('')
  const first = [...keys].map((key) => key.slice(11)).toSorted()[0]
  useLayoutEffect(() => {
    // Only until somebody has looked around, but again once the items of the week are there.
    const state = `${week} ${first !== undefined}`
    if (seen.current === state || seen.current === `${week} true`) return
    seen.current = state
    const from = slotKey(week, MORNING).slice(11)
    const shown = first !== undefined && first < from ? first : from
    const cell = grid.current!.querySelector<HTMLElement>(`[data-drop="${week}T${shown}"]`)
    const head = grid.current!.firstElementChild as HTMLElement
    if (cell) grid.current!.scrollTop = cell.offsetTop - head.offsetHeight - 8
  }, [grid, week, first])
}
