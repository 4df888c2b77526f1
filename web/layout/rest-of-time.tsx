import type { ReactNode } from 'react'
import type { Dated } from '#web/layout/calendar-props.ts'
import { Popover } from '#web/parts/popover.tsx'
import css from '#web/layout/calendar.module.css'

interface RestOfTimeProps {
  /** The day, or the time of a day. */
  words: string
  /** How many are not shown. */
  hidden: number
  /** All of that time. */
  items: readonly Pick<Dated, 'row'>[]
  button: ReactNode
  buttonClassName: string | undefined
  onPeek: (item_id: string) => void
}

/** A button for the items of a time that have no room there: all of it in a list. */
export function RestOfTime({ words, hidden, items, button, buttonClassName, onPeek }: RestOfTimeProps) {
  return (
    <Popover
      button={button}
      buttonClassName={buttonClassName}
      label={`All items of ${words}`}
      buttonLabel={`${hidden} more on ${words}`}
    >
      {() => (
        <div className={css.all}>
          <h3>{words}</h3>
          <ul>
            {items.map(({ row }) => (
              <li key={row.item_id}>
                <button type="button" className={css.piece} onClick={() => onPeek(row.item_id)}>
                  {row.name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Popover>
  )
}
