import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault } from '#web/api/fault.ts'
import { aggregateQuery } from '#web/data/aggregate-query.ts'
import { useFigures } from '#web/data/figures-query.ts'
import { useFaultWords } from '#web/data/gone-tag.ts'
import { usePreference } from '#web/data/preferences.ts'
import { useRowSource } from '#web/data/use-row-source.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { VariantSign } from '#web/parts/variant-sign.tsx'
import type { ColumnTag, FieldColumn } from '#web/rules/column.ts'
import {
  groupBy,
  groupFilter,
  type GroupKey,
  groupLabel,
  groupsInOrder,
  isInOrder,
} from '#web/rules/groups.ts'
import { lookOfVariant } from '#web/rules/variant-look.ts'
import type { Question } from '#web/rules/table-state.ts'
import { ROW_HEIGHTS } from '#web/table/grid.tsx'
import { TableRows, type TableRowsProps } from '#web/table/table-rows.tsx'
import { Waiting } from '#web/table/waiting.tsx'
import css from '#web/table/grouped-rows.module.css'

/** The service reports no more. */
const MOST = 1000
/** Rows of one group that are in sight at once. */
const SHOWN = 14
/** Pixels of two lines of figures. */
const FOOT = 44

export interface GroupedRowsProps extends Omit<TableRowsProps, 'source' | 'isOld' | 'onAgain' | 'figures'> {
  /** Whose Number fields have figures under their columns, of each group its own. */
  figuresOf: readonly ColumnTag[] | null
  /** `Task.status` */
  path: string
  /** Of the field that groups: variants, numbers and months stand in their order, else the largest is first. */
  column: FieldColumn | undefined
  onUngroup: () => void
}

/** A table in groups: each with its count, its rows read when it is opened. */
export function GroupedRows({ path, column, onUngroup, ...rest }: GroupedRowsProps) {
  const { filter } = rest.question
  const type = column?.field.type
  const { data, error, refetch } = useQuery(
    aggregateQuery({
      ...(filter && { filter }),
      group_by: [groupBy(path, type)],
      ...(isInOrder(type) && { sort: [{ by: 'key' as const }] }),
      limit: MOST,
    }),
  )
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  // The first one is open by itself, so that one sees what this is; it stays so when another becomes the first.
  const groups = data ? groupsInOrder(data.groups, column) : []
  const keys = groups.map(({ key }) => key[0] as GroupKey)
  const ids = keys.map((key) => JSON.stringify(key))
  const [first, setFirst] = useState<string>()
  if (ids.length && (first === undefined || !ids.includes(first))) setFirst(ids[0])
  const [words] = useFaultWords(error ? [error] : [])
  if (error)
    return (
      <div role="alert" className={css.groups}>
        <EmptyState icon="alert" title="This cannot be grouped">
          <p>{words}</p>
          {error instanceof Fault && error.status === 400 ? (
            <Button onClick={onUngroup}>Show it without groups</Button>
          ) : (
            <Button onClick={() => void refetch()}>Try again</Button>
          )}
        </EmptyState>
      </div>
    )
  if (!data) return <Waiting />
  if (!data.groups.length) return rest.empty
  return (
    <div className={css.groups}>
      {groups.map(({ count }, i) => {
        const id = ids[i]!
        const open = chosen.get(id) ?? id === first
        return (
          <Group
            key={id}
            {...rest}
            path={path}
            column={column}
            groupKey={keys[i]!}
            keys={keys}
            count={count}
            open={open}
            onToggle={() => setChosen(new Map(chosen).set(id, !open))}
          />
        )
      })}
      {data.truncated && (
        <p className={css.more}>
          The first {data.groups.length.toLocaleString()} of {data.total_groups.toLocaleString()} groups.
        </p>
      )}
    </div>
  )
}

interface GroupProps extends Omit<GroupedRowsProps, 'onUngroup'> {
  groupKey: GroupKey
  /** Of all groups. */
  keys: readonly GroupKey[]
  count: number
  open: boolean
  onToggle: () => void
}

function Group({ path, column, groupKey, keys, count, open, onToggle, ...rest }: GroupProps) {
  const type = column?.field.type
  const name = groupLabel(groupKey, column?.field)
  const own = groupFilter(path, groupKey, type, keys)
  const { filter } = rest.question
  const question = { ...rest.question, filter: filter ? { and: [filter, own] } : own }
  return (
    <section className={css.group} aria-label={name}>
      <h2 className={css.heading}>
        <button type="button" aria-expanded={open} className={css.toggle} onClick={onToggle}>
          <Icon name={open ? 'chevron_down' : 'chevron_right'} size={14} />
          {type === 'Select' && typeof groupKey === 'string' && (
            <VariantSign look={lookOfVariant(column!.field.schema, groupKey)} />
          )}
          <span className={groupKey === null ? css.none : undefined}>{name}</span>
          <span className={css.count}>{count.toLocaleString()}</span>
        </button>
      </h2>
      {open && <OpenGroup {...rest} label={`${rest.label}: ${name}`} question={question} count={count} />}
    </section>
  )
}

type OpenGroupProps = Omit<TableRowsProps, 'source' | 'isOld' | 'onAgain' | 'figures'> & {
  figuresOf: GroupedRowsProps['figuresOf']
  question: Question
  count: number
}

function OpenGroup({ count, figuresOf, ...rest }: OpenGroupProps) {
  const [turn, setTurn] = useState(0)
  const { source, isOld } = useRowSource(rest.question, turn)
  const rowHeight = ROW_HEIGHTS[usePreference('density')]
  const figures = useFigures(rest.question.filter ?? null, figuresOf ?? [], figuresOf !== null)
  // With the heading of its columns, the figures under them, and a bar to scroll sideways.
  const foot = figures?.size ? Math.max(FOOT, rowHeight) : 0
  const height = rowHeight * (Math.min(count, SHOWN) + 1) + foot + 14
  return (
    <div className={css.rows} style={{ height }}>
      <TableRows
        {...rest}
        figures={figures}
        source={source}
        isOld={isOld}
        onAgain={() => setTurn(turn + 1)}
      />
    </div>
  )
}
