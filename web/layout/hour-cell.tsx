import { NewCard } from '#web/layout/new-card.tsx'
import { timeOf } from '#web/layout/calendar-day.tsx'
import type { CalendarGridProps, Timed } from '#web/layout/calendar-props.ts'
import { RestOfTime } from '#web/layout/rest-of-time.tsx'
import { type sideBySide, SLOT, slotKey, withRoom } from '#web/rules/hours.ts'
import { newValue } from '#web/rules/schedule.ts'
import { sayTyped } from '#web/rules/typed-date.ts'
import css from '#web/layout/calendar-hours.module.css'

interface HourCellProps extends CalendarGridProps {
  date: string
  slot: number
  /** The slot as the clock shows it. */
  time: string
  /** Tab leads here. */
  isHere: boolean
  laid: readonly ReturnType<typeof sideBySide<Timed>>[number][]
  /** How far the present is in it. */
  nowAt: number | undefined
  isAdding: boolean
  onAdding: (on: boolean) => void
  onHere: () => void
}

/** Half an hour of a day, with what begins in it. */
export function HourCell(props: HourCellProps) {
  const { date, slot, time, isHere, laid, nowAt, isFixed, schedule, reader } = props
  const { from } = schedule
  const words = `${sayTyped(date, reader)}, ${time}`
  const { shown, hidden } = withRoom(laid)
  return (
    // The grid hears the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      className={css.slot}
      data-drop={slotKey(date, slot)}
      tabIndex={isHere ? 0 : -1}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) props.onHere()
      }}
      onDoubleClick={({ target, currentTarget }) => {
        if (target === currentTarget && !isFixed) props.onAdding(true)
      }}
    >
      <span className={css.spoken}>
        {words}
        {laid.length > 0 && `, ${laid.length === 1 ? '1 item' : `${laid.length} items`}`}
      </span>
      {nowAt !== undefined && <i className={css.now} style={{ top: `${nowAt * 100}%` }} aria-hidden />}
      {shown.map((each) => (
        <HourPiece key={each.item.row.item_id} {...props} {...each} />
      ))}
      {hidden[0] && (
        <span className={css.place} style={{ ...across(hidden[0]), top: 0, ['--slots' as string]: 1 }}>
          <RestOfTime
            words={words}
            hidden={hidden.length}
            items={laid.map(({ item }) => item)}
            button={`+${hidden.length}`}
            buttonClassName={css.rest}
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
              values: { [from.field.name]: newValue(from, date, reader.timeZone, slot) },
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

const across = ({ place, places }: { place: number; places: number }) => ({
  left: `calc(${(place / places) * 100}% + 2px)`,
  width: `calc(${100 / places}% - 4px)`,
})

/** An item over the time that it takes, next to those of the same time. */
function HourPiece({
  item,
  place,
  places,
  slot,
  schedule,
  reader,
  beside,
  isFixed,
  onPeek,
}: HourCellProps & { item: Timed; place: number; places: number }) {
  const { row, begin, end } = item
  return (
    <span
      className={css.place}
      style={{
        top: `${((begin - slot) / SLOT) * 100}%`,
        ...across({ place, places }),
        ['--slots' as string]: (end - begin) / SLOT,
      }}
      data-item={row.item_id}
      data-open={row.item_id === beside || undefined}
    >
      <button
        type="button"
        className={css.piece}
        data-name
        tabIndex={-1}
        title={row.name}
        aria-keyshortcuts={
          isFixed ? undefined : 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown Alt+Delete'
        }
        onClick={() => onPeek(row.item_id)}
      >
        <span className={css.time}>{timeOf(schedule, item, reader)}</span> {row.name}
      </button>
    </span>
  )
}
