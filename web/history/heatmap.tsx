import { useQuery } from '@tanstack/react-query'
import { type ChangeQuestion, changesByDayQuery } from '#web/data/changes-query.ts'
import { sayDate, sayMoment, today } from '#web/rules/say-time.ts'
import css from '#web/history/heatmap.module.css'

const WEEKS = 53
/** Pixels of a day, with its space. */
const CELL = { normal: 12, small: 9 } as const
const DAY = 86_400_000
/** Days before which squares are no picture yet. */
const YOUNG = 7

interface HeatmapProps {
  question: ChangeQuestion
  /** Next to other things. */
  small?: boolean
  /** The day that is looked at. */
  chosen?: string | null
  /** Without it days are only shown. */
  onDay?: (day: string | null) => void
}

const dayOf = (time: string) => today(new Date(time))

/** A year of changes, a square for each day; the same as a table beneath. */
export function Heatmap({ question, small = false, chosen = null, onDay }: HeatmapProps) {
  const cell = CELL[small ? 'small' : 'normal']
  const days = lastDays()
  const { data } = useQuery(changesByDayQuery(question, `${days[0]!}T00:00:00Z`, dayOf))
  const counts = data?.days ?? new Map<string, number>()
  const most = Math.max(1, ...counts.values())
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const busy = [...counts].toSorted(([a], [b]) => b.localeCompare(a))
  const first = busy.at(-1)?.[0]
  // A year of empty squares, and a table of a day, say nothing that the list does not.
  if (data !== undefined && (first === undefined || first > days.at(-YOUNG)!)) return null
  return (
    <figure className={css.heatmap} data-still={onDay === undefined || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it where it is wider than the page */}
      <div className={css.scroller} tabIndex={0} role="group" aria-label="Changes by day">
        <svg
          width={WEEKS * cell}
          height={7 * cell}
          role="img"
          aria-label={`${total} changes in the last year`}
        >
          {days.map((day, i) => {
            const count = counts.get(day) ?? 0
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the table beneath has buttons for the same
              <rect
                key={day}
                x={Math.floor(i / 7) * cell}
                y={(i % 7) * cell}
                width={cell - 2}
                height={cell - 2}
                rx={2}
                className={`${css.day} ${day === chosen ? css.chosen : ''}`}
                data-level={count ? Math.ceil((4 * Math.log1p(count)) / Math.log1p(most)) : 0}
                onClick={onDay && (() => onDay(day === chosen ? null : day))}
              >
                <title>{`${sayDate(day)}: ${count} ${count === 1 ? 'change' : 'changes'}`}</title>
              </rect>
            )
          })}
        </svg>
      </div>
      <figcaption className={css.caption}>
        {data
          ? `${total.toLocaleString()} ${total === 1 ? 'change' : 'changes'} in the last year`
          : 'Counting…'}
        {data?.since && `, read back to ${sayMoment(data.since)}`}
        {busy.length > 0 && (
          <details className={css.table}>
            <summary>As a table</summary>
            <ul>
              {busy.slice(0, 100).map(([day, count]) => (
                <li key={day}>
                  {onDay ? (
                    <button type="button" className={css.pick} onClick={() => onDay(day)}>
                      {sayDate(day)}
                    </button>
                  ) : (
                    sayDate(day)
                  )}
                  <span>{count.toLocaleString()}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </figcaption>
    </figure>
  )
}

/** Whole weeks that begin on a Monday, up to today. */
function lastDays(): string[] {
  const now = new Date()
  const weekday = (now.getDay() + 6) % 7
  const count = (WEEKS - 1) * 7 + weekday + 1
  // Noon: an hour more or less in spring and autumn leaves the day as it is.
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12).getTime()
  return Array.from({ length: count }, (_, i) => today(new Date(noon - (count - 1 - i) * DAY)))
}
