import { useMemo, useRef, useState } from 'react'
import { useFaultWords } from '#web/data/gone-tag.ts'
import { CalendarBar } from '#web/layout/calendar-bar.tsx'
import { CalendarHours } from '#web/layout/calendar-hours.tsx'
import { CalendarGrid } from '#web/layout/calendar-grid.tsx'
import { NO_DAY } from '#web/layout/calendar-props.ts'
import { DayList } from '#web/layout/day-list.tsx'
import type { LayoutProps } from '#web/layout/layout-props.ts'
import { Undated } from '#web/layout/undated.tsx'
import { useCalendar } from '#web/layout/use-calendar.ts'
import { useWantedFocus } from '#web/layout/use-wanted-focus.ts'
import { useDrag } from '#web/layout/use-drag.ts'
import { Note } from '#web/parts/note.tsx'
import { addDays, daysBetween, weeksAround } from '#web/rules/calendar.ts'
import { chosenColumn, dateColumns, endFields } from '#web/rules/layout.ts'
import { hoursOf, readSlot, slotOf } from '#web/rules/hours.ts'
import { isOfMoments, spanOf } from '#web/rules/schedule.ts'
import { firstWeekdayOf, thisReader, todayOf } from '#web/rules/typed-date.ts'
import { useIsPhone } from '#web/table/use-is-phone.ts'
import css from '#web/layout/calendar.module.css'

/** Items on the days of a month or a week. */
export function Calendar(props: LayoutProps) {
  const { columns, layout, readOnly, source, label, isOld } = props
  const [reader] = useState(thisReader)
  const isPhone = useIsPhone()
  const today = todayOf(reader)
  const day = props.day ?? today
  const from = chosenColumn(dateColumns(columns.all), layout.by)!
  const until = endFields(columns.all, from).find(({ key }) => key === layout.until)
  const schedule = useMemo(() => ({ from, until, zone: reader.timeZone }), [from, until, reader])
  const weeks = useMemo(() => {
    const month = weeksAround(day, firstWeekdayOf(reader)).map((week) => week.filter((each) => each !== null))
    return layout.week ? month.filter((week) => week.includes(day)) : month
  }, [day, layout.week, reader])
  const [first, last] = [weeks[0]![0]!, weeks.at(-1)!.at(-1)!]
  const calendar = useCalendar(props, schedule, { first, last })
  const { store, items, undated, move, moveBy } = calendar
  const [fault] = useFaultWords(calendar.fault ? [calendar.fault] : [])
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const want = useWantedFocus(scroller)
  const isFixed = readOnly || from.kind !== 'field'
  const startDrag = useDrag(scroller, {
    disabled: isFixed,
    onDrop: (item, target, start) => {
      if (target === NO_DAY) return move(item, null)
      const slot = readSlot(target)
      const row = store.find(item)
      if (slot) {
        const taken = start === undefined ? undefined : readSlot(start)
        const hours = row && taken && hoursOf(schedule, row)
        // What is taken in its middle stays in the hand by its middle.
        const held = hours ? taken.clock - slotOf(hours.begin) : 0
        return move(item, slot.day, Math.max(0, slot.clock - held))
      }
      const span = row && spanOf(schedule, row)
      // What is taken in its middle stays in the hand by its middle.
      const held = span && start !== undefined && start !== NO_DAY ? daysBetween(start, target) : 0
      return move(item, span && held ? addDays(span.from, held) : target)
    },
  })
  const Grid = layout.week && isOfMoments(from) && !isPhone ? CalendarHours : CalendarGrid
  const withUndated = undated !== null && !isPhone && (isOpen ?? undated.total > 0)
  return (
    <>
      <CalendarBar
        {...props}
        day={day}
        today={today}
        reader={reader}
        from={from}
        until={until}
        undated={undated}
        isOpen={withUndated}
        onOpenUndated={isPhone || undated === null ? undefined : setOpen}
      />
      {fault && <Note kind="danger">{fault}</Note>}
      {calendar.left > 0 && (
        <Note>
          {calendar.left === 1 ? '1 more item is' : `${calendar.left.toLocaleString()} more items are`} on
          these days: {layout.week ? 'a filter shows all of them.' : 'a filter or a week shows all of them.'}
        </Note>
      )}
      <div
        ref={scroller}
        className={css.calendar}
        data-layout="calendar"
        data-old={isOld || undefined}
        role="group"
        aria-label={`${label} by ${from.label}`}
        onPointerDown={startDrag}
      >
        <Grid
          {...props}
          day={day}
          today={today}
          reader={reader}
          weeks={weeks}
          items={items}
          schedule={schedule}
          isFixed={isFixed}
          isPhone={isPhone}
          store={store}
          move={move}
          moveBy={moveBy}
          onMade={(row) => {
            source.insert(0, row)
            store.made('dated', row)
          }}
        />
        {isPhone && (
          <DayList day={day} items={items} schedule={schedule} reader={reader} onOpen={props.onOpen} />
        )}
        {withUndated && (
          <Undated
            source={undated}
            store={store}
            label={from.label}
            onPeek={props.onPeek}
            onPut={
              isFixed
                ? undefined
                : (item) => {
                    if (move(item, day)) want(`[role=grid] [data-item="${item}"] [data-name]`)
                  }
            }
          />
        )}
      </div>
    </>
  )
}
