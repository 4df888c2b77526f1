import { useNow } from '#web/parts/use-now.ts'
import type { FieldColumn } from '#web/rules/column.ts'
import { daysFromNow, sayDateFromNow, sayMomentFromNow } from '#web/rules/relative-time.ts'
import { sayDate, sayMoment } from '#web/rules/say-time.ts'
import { linkOf, lookOfField, shortAddress } from '#web/rules/shown-value.ts'
import css from '#web/table/cell-view.module.css'

interface TextViewProps {
  column: FieldColumn
  text: string
  /** It lies in a button, and opens nothing by itself. */
  inButton: boolean
}

/** A text, which leads somewhere where its field says so. */
export function TextView({ column, text, inButton }: TextViewProps) {
  const href = linkOf(column.field.schema, text)
  if (!href) return <span>{text}</span>
  const shown = lookOfField(column.field.schema).format === 'url' ? shortAddress(text) : text
  if (inButton) return <span className={css.linked}>{shown}</span>
  return (
    <a
      href={href}
      className={css.linked}
      tabIndex={-1}
      target="_blank"
      rel="noopener noreferrer"
      title={`${shown} (Alt Enter)`}
    >
      {shown}
    </a>
  )
}

interface TimeViewProps {
  column: FieldColumn
  value: string
  /** The item is not done with: what is past is late. */
  isOpen: boolean
}

/** A date or a moment, shown relative to now where its field says so. */
export function TimeView({ column, value, isOpen }: TimeViewProps) {
  const isDay = column.field.type === 'Date'
  const said = isDay ? sayDate(value) : sayMoment(value)
  if (!lookOfField(column.field.schema).relative) return <time dateTime={value}>{said}</time>
  return <RelativeTime value={value} said={said} isDay={isDay} isOpen={isOpen} />
}

interface RelativeTimeProps {
  value: string
  said: string
  isDay: boolean
  isOpen: boolean
}

function RelativeTime({ value, said, isDay, isOpen }: RelativeTimeProps) {
  const now = useNow()
  const words = isDay ? sayDateFromNow(value, now) : sayMomentFromNow(value, now)
  const isLate = isOpen && isDay && (daysFromNow(value, now) ?? 0) < 0
  return (
    <time dateTime={value} title={said} className={isLate ? css.late : undefined}>
      {words ?? said}
    </time>
  )
}
