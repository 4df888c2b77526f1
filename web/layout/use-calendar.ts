import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { onItemsChanged } from '#web/data/items-changed.ts'
import type { Row, RowSource } from '#web/data/row-source.ts'
import { useRowSource } from '#web/data/use-row-source.ts'
import { BoardStore } from '#web/layout/board-store.ts'
import type { Dated } from '#web/layout/calendar-props.ts'
import type { LayoutProps } from '#web/layout/layout-props.ts'
import { moveItems } from '#web/layout/move-items.ts'
import { useRead } from '#web/layout/use-read.ts'
import { say } from '#web/parts/live-region.tsx'
import { whyReadOnly } from '#web/rules/cell-value.ts'
import {
  filterOfDays,
  filterOfNoDay,
  type Schedule,
  spanOf,
  valuesAt,
  valuesLater,
  valuesOn,
} from '#web/rules/schedule.ts'
import { hoursOf } from '#web/rules/hours.ts'
import { sayDate, sayMoment } from '#web/rules/say-time.ts'
import type { Question } from '#web/rules/table-state.ts'

/** Items of one month that are read; where there are more it is said. */
const MOST = 2000
/** Milliseconds in which changes by others gather. */
const GATHER = 500

const narrowed = ({ filter, ...rest }: Question, by: Record<string, unknown>): Question => ({
  ...rest,
  filter: filter ? { and: [filter, by] } : by,
})

/** The items of some days, those of no day, and how they come from one to another. */
export function useCalendar(
  { question, readOnly }: LayoutProps,
  schedule: Schedule,
  { first, last }: { first: string; last: string },
) {
  const { from } = schedule
  const turn = useTurn(question.as_of === undefined)
  const sort = from.sortBy ? [{ by: from.sortBy, direction: 'asc' as const }] : question.sort
  const ofDays = narrowed({ ...question, ...(sort && { sort }) }, filterOfDays(schedule, first, last))
  const dated = useRowSource(ofDays, turn).source
  const hasNone = from.kind === 'field'
  const ofNone = narrowed(question, hasNone ? filterOfNoDay(from) : { id: { in: [] } })
  const undated = useRowSource(ofNone, turn).source
  const [store] = useState(() => new BoardStore(rulesOf(schedule)))
  useEffect(() => {
    store.rules = rulesOf(schedule)
  })
  useShown(store, 'dated', dated)
  useShown(store, 'undated', undated)
  useEffect(() => dated?.setViewport(0, MOST), [dated])
  const version = useRead(dated)
  const edits = useSyncExternalStore(store.edits.subscribe, store.edits.snapshot)
  const items = useMemo(
    () =>
      (dated?.rows ?? []).slice(0, MOST).flatMap((stored): Dated[] => {
        const row = store.edits.shown(stored)
        const span = spanOf(schedule, row)
        return span ? [{ row, span }] : []
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- what the numbers stand for is read again
    [dated, schedule, store, version, edits],
  )

  const put = (row: Row, values: ReturnType<typeof valuesOn>, sayBegin: (begin: string) => string) => {
    const why = whyReadOnly(from, row)
    if (why || !values || from.kind !== 'field') {
      say(why ?? 'There is no such day')
      return false
    }
    const { item_id, name, updated_at } = row
    const edit = { item_id, tag_id: from.tag.tag_id, values, seen: { name, updated_at } }
    const begin = values[from.field.name]
    const words = begin ? `Moved ${name} to ${sayBegin(begin)}` : `${name} has no ${from.label} now`
    void store.while(moveItems(store.edits, [edit], words))
    return true
  }
  const move = (item_id: string, day: string | null, clock?: number) => {
    const row = store.find(item_id)
    if (!row || readOnly) return false
    const isHere = spanOf(schedule, row)?.from === (day ?? undefined)
    if (isHere && (clock === undefined || hoursOf(schedule, row)?.begin === clock)) return false
    return day !== null && clock !== undefined
      ? put(row, valuesAt(schedule, row, day, clock), sayMoment)
      : put(row, valuesOn(schedule, row, day), () => sayDate(day!))
  }
  const moveBy = (item_id: string, by: number) => {
    const row = store.find(item_id)
    return !!row && !readOnly && put(row, valuesLater(schedule, row, by), sayMoment)
  }
  const left = dated ? Math.max(0, (dated.counted ?? 0) - MOST) : 0
  return { store, items, undated: hasNone ? undated : null, move, moveBy, fault: dated?.fault, left }
}

const rulesOf = (schedule: Schedule) => ({
  columnOf: (row: Row) => (spanOf(schedule, row) ? 'dated' : 'undated'),
  weightOf: () => 0,
})

function useShown(store: BoardStore, column: string, source: RowSource | null): void {
  useEffect(() => (source ? store.show(column, source) : undefined), [store, column, source])
}

/** Reads again after others have changed something: it may be on these days now. */
function useTurn(isLive: boolean): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!isLive) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onItemsChanged(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        setTurn((before) => before + 1)
      }, GATHER)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [isLive])
  return turn
}
