import type { RowSource } from '#web/data/row-source.ts'
import type { LayoutProps } from '#web/layout/layout-props.ts'
import { OptionMenu } from '#web/layout/option-menu.tsx'
import { useRead } from '#web/layout/use-read.ts'
import { Button, IconButton } from '#web/parts/button.tsx'
import { addDays, addMonths } from '#web/rules/calendar.ts'
import type { Column, FieldColumn } from '#web/rules/column.ts'
import { MONTH_OF_YEAR } from '#web/rules/date-names.ts'
import { dateColumns, endFields, type Layout } from '#web/rules/layout.ts'
import type { Reader } from '#web/rules/typed-date.ts'
import bar from '#web/layout/layout-bar.module.css'
import css from '#web/layout/calendar.module.css'

interface CalendarBarProps extends Pick<LayoutProps, 'columns' | 'layout' | 'onLayout' | 'onDay'> {
  day: string
  today: string
  reader: Reader
  from: Column
  until: FieldColumn | undefined
  undated: RowSource | null
  isOpen: boolean
  onOpenUndated: ((open: boolean) => void) | undefined
}

/** Which days are shown, and by what. */
export function CalendarBar(props: CalendarBarProps) {
  const { columns, layout, onLayout, onDay, day, today, reader, from, until, undated, isOpen } = props
  useRead(undated)
  const { week } = layout
  const turn = (by: number) => onDay((week ? addDays(day, 7 * by) : addMonths(day, by)) ?? day)
  const title = new Intl.DateTimeFormat(reader.locale, MONTH_OF_YEAR)
  const ends = endFields(columns.all, from)
  const without = (name: 'until' | 'week'): Layout => {
    const { [name]: _, ...rest } = layout
    return rest
  }
  const count = undated?.counted ?? undated?.total ?? 0
  return (
    <div className={bar.bar}>
      <div className={css.turn}>
        <IconButton
          icon="chevron_left"
          label={week ? 'Week before' : 'Month before'}
          onClick={() => turn(-1)}
        />
        <IconButton icon="chevron_right" label={week ? 'Next week' : 'Next month'} onClick={() => turn(1)} />
        <Button kind="quiet" disabled={day === today} onClick={() => onDay(null)}>
          Today
        </Button>
      </div>
      <h2 className={css.title} aria-live="polite">
        {title.format(Date.parse(`${day}T00:00:00Z`))}
      </h2>
      <OptionMenu
        words="Shows"
        options={[
          { key: undefined, label: 'Month' },
          { key: 'week', label: 'Week' },
        ]}
        chosen={week && 'week'}
        onChoose={(key) => onLayout(key ? { ...layout, week: true } : without('week'))}
      />
      <OptionMenu
        words={until ? 'From' : 'By'}
        options={dateColumns(columns.all)}
        chosen={from.key}
        onChoose={(by) => onLayout({ ...without('until'), by: by! })}
      />
      {ends.length > 0 && (
        <OptionMenu
          words={until ? 'until' : ''}
          options={[{ key: undefined, label: until ? 'no other day' : 'Ends the same day' }, ...ends]}
          chosen={until?.key}
          onChoose={(key) => onLayout(key === undefined ? without('until') : { ...layout, until: key })}
        />
      )}
      {props.onOpenUndated && (
        <button
          type="button"
          className={bar.option}
          aria-expanded={isOpen}
          onClick={() => props.onOpenUndated!(!isOpen)}
        >
          Without a day <span className={css.count}>{count.toLocaleString()}</span>
        </button>
      )}
    </div>
  )
}
