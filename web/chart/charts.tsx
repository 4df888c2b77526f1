import { useId, useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { type ColumnTag, columnsOf, type FieldColumn } from '#web/rules/column.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { isGrouped, pathOf } from '#web/rules/groups.ts'
import { Bars } from '#web/chart/bars.tsx'
import { type Bucket, BUCKETS, DateStrip } from '#web/chart/date-strip.tsx'
import css from '#web/chart/charts.module.css'

interface ChartsProps {
  filter: Filter | null
  tags: readonly ColumnTag[]
  /** One more condition. */
  onFilter: (condition: Filter) => void
}

/** What a table shows, counted: how many of each, and when. A bar is a condition. */
export function Charts({ filter, tags, onFilter }: ChartsProps) {
  const [asTable, setAsTable] = useState(false)
  const [bucket, setBucket] = useState<Bucket>('month')
  const fields = columnsOf(tags).filter((column) => column.kind === 'field')
  const groups = fields.filter(isGrouped)
  const dates = [
    ...fields
      .filter(({ field }) => field.type === 'Date' || field.type === 'DateTime')
      // Sub-fields, which few items have, come last.
      .toSorted((a, b) => Number(!!a.field.parents) - Number(!!b.field.parents))
      .map((column) => ({ path: pathOf(column), label: column.label, isDate: column.field.type === 'Date' })),
    { path: 'created_at', label: 'Created', isDate: false },
    { path: 'updated_at', label: 'Changed', isDate: false },
  ]
  return (
    <section className={css.charts} aria-label="Charts">
      {groups.length > 0 && (
        <Choice
          options={groups.map((column) => ({ path: pathOf(column), label: column.label }))}
          label="Count by"
        >
          {(path) => (
            <Bars
              key={path} // the bars of another field are no conditions of this one
              filter={filter}
              column={columnOf(groups, path)}
              asTable={asTable}
              onFilter={onFilter}
            />
          )}
        </Choice>
      )}
      <Choice
        options={dates}
        label="When"
        more={
          <Listbox
            label="By"
            value={bucket}
            options={BUCKETS.map((each) => [each, `by ${each}`] as const)}
            onValue={setBucket}
          />
        }
      >
        {(path) => (
          <DateStrip
            key={path}
            filter={filter}
            path={path}
            bucket={bucket}
            isDate={dates.find((each) => each.path === path)?.isDate ?? false}
            asTable={asTable}
            onFilter={onFilter}
          />
        )}
      </Choice>
      <Button kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)} className={css.toggle}>
        As table
      </Button>
    </section>
  )
}

const columnOf = (columns: readonly FieldColumn[], path: string) =>
  columns.find((column) => pathOf(column) === path) ?? columns[0]!

interface ChoiceProps {
  label: string
  options: readonly { path: string; label: string }[]
  /** Alongside the choice of the field. */
  more?: React.ReactNode
  children: (path: string) => React.ReactNode
}

/** A chart of one of several fields. */
function Choice({ label, options, more, children }: ChoiceProps) {
  const id = useId()
  const [path, setPath] = useState(options[0]!.path)
  return (
    <div className={css.chart}>
      <div className={css.choice}>
        <label htmlFor={id}>{label}</label>
        <Listbox
          id={id}
          value={path}
          options={options.map((each) => [each.path, each.label] as const)}
          onValue={setPath}
        />
        {more}
      </div>
      {children(path)}
    </div>
  )
}
