import { memo, type RefObject } from 'react'
import { NewCard } from '#web/layout/new-card.tsx'
import type { CalendarGridProps } from '#web/layout/calendar-props.ts'
import type { Dated } from '#web/layout/calendar-props.ts'
import { RestOfTime } from '#web/layout/rest-of-time.tsx'
import { IconButton } from '#web/parts/button.tsx'
import { partsOf } from '#web/rules/calendar.ts'
import { cellValue } from '#web/rules/cell-value.ts'
import { newValue, type Piece, type Schedule } from '#web/rules/schedule.ts'
import { type Reader, sayTyped } from '#web/rules/typed-date.ts'
import css from '#web/layout/calendar.module.css'

interface CalendarDayProps extends CalendarGridProps {
  date: string
  /** Tab leads here. */
  isHere: boolean
  /** Of the month before or after. */
  isOther: boolean
  /** Those that begin here, or go on from the week before. */
  shown: readonly Piece<Dated>[]
  /** All that are on it. */
  all: readonly Piece<Dated>[]
  hidden: number
  room: number
  peek: RefObject<(item_id: string) => void>
  isAdding: boolean
  onAdding: (on: boolean) => void
}

/** The dots of a day on a phone. */
const MOST_DOTS = 3

export function CalendarDay(props: CalendarDayProps) {
  const { date, today, reader, isHere, isOther, shown, all, hidden, room, schedule, isFixed, isPhone } = props
  const { from } = schedule
  const { peek } = props
  const words = sayTyped(date, reader)
  const count = all.length === 1 ? '1 item' : `${all.length} items`
  return (
    // The grid hears the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      className={css.day}
      data-drop={date}
      data-other={isOther || undefined}
      data-chosen={(isPhone && isHere) || undefined}
      tabIndex={isHere ? 0 : -1}
      aria-current={date === today ? 'date' : undefined}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget || isPhone) props.onDay(date)
      }}
      onDoubleClick={({ target, currentTarget }) => {
        if (target === currentTarget && !isFixed) props.onAdding(true)
      }}
    >
      <span className={css.spoken}>{`${words}, ${count}`}</span>
      <span className={css.number} aria-hidden>
        {partsOf(date).day}
      </span>
      {!isFixed && !isPhone && (
        <IconButton
          icon="plus"
          className={css.add}
          label={`New item on ${words}`}
          tabIndex={-1}
          onClick={() => props.onAdding(true)}
        />
      )}
      {isPhone && (
        <span className={css.dots} aria-hidden>
          {all.slice(0, MOST_DOTS).map(({ item }) => (
            <i key={item.row.item_id} />
          ))}
        </span>
      )}
      {shown.map(({ item, lane, length, isCut }) => (
        <DayPiece
          key={item.row.item_id}
          item_id={item.row.item_id}
          name={item.row.name}
          time={timeOf(schedule, item, reader)}
          isOpen={item.row.item_id === props.beside}
          {...{ lane, length, isFixed, peek }}
          {...isCut}
        />
      ))}
      {hidden > 0 && !isPhone && (
        <span className={css.more} style={{ ['--lane' as string]: Math.max(0, room - 1) }}>
          <RestOfTime
            words={words}
            hidden={hidden}
            items={all.map(({ item }) => item)}
            button={`${hidden} more`}
            buttonClassName={css.moreButton}
            onPeek={props.onPeek}
          />
        </span>
      )}
      {props.isAdding && from.kind === 'field' && (
        <div className={css.new}>
          <NewCard
            question={props.question}
            tag={props.tag}
            own={{
              tag_id: from.tag.tag_id,
              values: { [from.field.name]: newValue(from, date, reader.timeZone) },
            }}
            label={`New item on ${words}`}
            onMade={props.onMade}
            onClose={() => props.onAdding(false)}
          />
        </div>
      )}
    </div>
  )
}

interface DayPieceProps extends Pick<CalendarDayProps, 'isFixed' | 'peek'> {
  item_id: string
  name: string
  /** At which it begins; empty where it has none. */
  time: string
  isOpen: boolean
  lane: number
  length: number
  before: boolean
  after: boolean
}

/** An item on its days of one week; the days are read again for each change, and it is drawn for its own alone. */
const DayPiece = memo(function DayPiece(props: DayPieceProps) {
  const { item_id, name, time, isOpen, isFixed, lane, length, before, after, peek } = props
  return (
    <span
      className={css.place}
      style={{ ['--lane' as string]: lane, ['--length' as string]: length }}
      data-item={item_id}
      data-open={isOpen || undefined}
      data-before={before || undefined}
      data-after={after || undefined}
    >
      <button
        type="button"
        className={css.piece}
        data-name
        tabIndex={-1}
        title={name}
        aria-keyshortcuts={isFixed ? undefined : 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown'}
        onClick={() => peek.current(item_id)}
      >
        {time && <span className={css.time}>{time}</span>}
        {time && ' '}
        {name}
      </button>
    </span>
  )
})

/** The hour at which it begins, where it has one. */
export function timeOf({ from }: Schedule, { row }: Dated, { locale, timeZone }: Reader): string {
  const value = cellValue(from, row)
  if (typeof value !== 'string' || !value.includes('T')) return ''
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone }).format(
    Date.parse(value),
  )
}
