import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { aggregateQuery } from '#web/data/aggregate-query.ts'
import { filterOfTags } from '#web/data/item-options.ts'
import { BoardStore } from '#web/layout/board-store.ts'
import type { ColumnsProps } from '#web/layout/layout-props.ts'
import { moveItems } from '#web/layout/move-items.ts'
import { say } from '#web/parts/live-region.tsx'
import { type BoardColumn, boardColumns, columnOfRow, valueOfKey } from '#web/rules/board.ts'
import { cellValue, whyReadOnly } from '#web/rules/cell-value.ts'
import { type FieldColumn, namedAt } from '#web/rules/column.ts'
import { pathOf } from '#web/rules/groups.ts'

/** The service reports no more groups. */
const MOST_GROUPS = 1000
/** Columns for items that nothing refers to: where there are more, only those that something refers to. */
const FEW = 24

/** Items to which a Reference may lead, as long as they are few. */
const candidatesQuery = (of: readonly string[]) =>
  queryOptions({
    queryKey: ['found', 'candidates', of],
    enabled: of.length > 0,
    queryFn: async ({ signal }) => {
      const input = { filter: filterOfTags(of)!, sort: [{ by: 'name' as const }], limit: FEW + 1 }
      const { data } = await call(searchItems, input, { signal })
      return data.length > FEW ? [] : data.map(({ item_id, name }) => ({ item_id, name }))
    },
  })

/** The columns of a board with their counts, and how cards come from one into another. */
export function useBoard({ field, sum, question, onWiden, readOnly }: ColumnsProps, client: QueryClient) {
  const { filter, as_of } = question
  const counting = aggregateQuery({
    ...(filter && { filter }),
    ...(as_of !== undefined && { as_of }),
    group_by: [pathOf(field)],
    ...(sum && { metrics: [{ sum: pathOf(sum) }] }),
    limit: MOST_GROUPS,
  })
  const { data, error, refetch, dataUpdatedAt } = useQuery(counting)
  const { data: candidates } = useQuery(candidatesQuery(field.field.type === 'Reference' ? field.of : []))
  const [store] = useState(() => new BoardStore(rulesOf(field, sum)))
  useEffect(() => {
    store.rules = rulesOf(field, sum)
  }, [store, field, sum])
  useEffect(() => store.counted(), [store, dataUpdatedAt])
  // What others moved may be in the heads already, where they were counted before its row was read.
  const recount = useEffectEvent(() => {
    if (store.hasDrifted && !store.isBusy) void refetch()
  })
  useEffect(() => store.subscribe(() => recount()), [store])
  // Its columns have the names of when they were counted.
  const [named, setNamed] = useState({ counted: dataUpdatedAt, at: namedAt(field) })
  if (named.counted !== dataUpdatedAt) setNamed({ counted: dataUpdatedAt, at: namedAt(field) })
  const version = useSyncExternalStore(store.subscribe, store.snapshot)
  const shown = useMemo(() => {
    const columns = data ? boardColumns(field, data.groups, candidates) : []
    return columns.map((column) => drifted(column, store, sum))
    // oxlint-disable-next-line react/exhaustive-deps -- `version`: what has moved since
  }, [data, candidates, field, sum, store, version])

  const move = (item_ids: readonly string[], to: string) => {
    const target = shown.find(({ id }) => id === to)
    if (!target || readOnly) return
    const rows = item_ids
      .flatMap((id) => store.find(id) ?? [])
      .filter((row) => columnOfRow(field, row) !== to)
    const [first] = rows
    if (!first) return
    const why = rows.map((row) => whyReadOnly(field, row)).find(Boolean)
    if (why) return say(why)
    const value = valueOfKey(field, target.key)
    const moves = rows.map(({ item_id, name, updated_at }) => ({
      item_id,
      tag_id: field.tag.tag_id,
      values: { [field.field.name]: value },
      seen: { name, updated_at },
      tag_updated_at: named.at,
    }))
    const what = rows.length === 1 ? first.name : `${rows.length} items`
    // What is being counted is not true any more.
    void client.cancelQueries({ queryKey: ['aggregate'] })
    void store
      .while(moveItems(store.edits, moves, `Moved ${what} to ${target.name}`))
      .then(() => client.invalidateQueries({ queryKey: ['aggregate'] }))
  }
  return {
    store,
    shown,
    move,
    error,
    refetch: () => void refetch(),
    counted: dataUpdatedAt,
    named_at: named.at,
    total: data && onWiden ? data.groups.reduce((all, { count }) => all + count, 0) : undefined,
  }
}

function rulesOf(field: FieldColumn, sum: FieldColumn | undefined) {
  return {
    columnOf: (row: Parameters<typeof columnOfRow>[1]) => columnOfRow(field, row),
    weightOf: (row: Parameters<typeof columnOfRow>[1]) => {
      const value = sum && cellValue(sum, row)
      return typeof value === 'number' ? value : 0
    },
  }
}

function drifted(column: BoardColumn, store: BoardStore, sum: FieldColumn | undefined): BoardColumn {
  const drift = store.driftOf(column.id)
  if (!drift.count && !drift.sum) return column
  const weight = (column.sum ?? 0) + drift.sum
  return {
    ...column,
    count: Math.max(0, column.count + drift.count),
    sum: sum && (column.sum !== null || drift.sum) ? weight : column.sum,
  }
}
