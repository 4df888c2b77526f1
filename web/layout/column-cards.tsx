import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import type { RowSource } from '#web/data/row-source.ts'
import { drawnName } from '#web/layout/drawn-items.ts'
import type { BoardColumnProps } from '#web/layout/layout-props.ts'
import { Card } from '#web/layout/card.tsx'
import { useRead } from '#web/layout/use-read.ts'
import { Heights, indexAt } from '#web/rules/heights.ts'
import { isChosen } from '#web/table/selection.ts'
import css from '#web/layout/board.module.css'

/** Pixels above and below what is seen in which cards are drawn. */
const BEYOND = 400
/** Of a card that nobody has measured, with the gap under it. */
const GUESS = 88

type ColumnCardsProps = Pick<BoardColumnProps, 'column' | 'fields' | 'store' | 'selection' | 'beside'> & {
  source: RowSource
}

/** The cards of one column: those in sight are drawn, wherever one has scrolled to, and their pages read. */
export function ColumnCards({ column, source, store, fields, selection, beside }: ColumnCardsProps) {
  const version = useRead(source)
  useSyncExternalStore(store.edits.subscribe, store.edits.snapshot)
  const list = useRef<HTMLDivElement>(null)
  const [heights] = useState(() => new Heights(GUESS))
  const [measured, setMeasured] = useState(0)
  const total = source.ended ? source.total : Math.max(source.total, column.count)
  const tops = useMemo(
    () => heights.tops(total, (index) => source.row(index)?.item_id),
    // oxlint-disable-next-line react/exhaustive-deps -- what the numbers stand for is read again
    [heights, total, source, version, measured],
  )
  const { drawn, measure } = useSight(list, tops, source)
  // The one that has the focus stays drawn, wherever the list is scrolled to.
  const [active, setActive] = useState<string>()
  const at = active === undefined ? -1 : places(source, total, active)
  const shown = at >= 0 && !drawn.includes(at) ? [...drawn, at].toSorted((a, b) => a - b) : drawn
  const tabbed = at >= 0 ? at : shown[0]
  useMeasured(list, { heights, tops, onMeasured: () => setMeasured((before) => before + 1) })
  useReveal(list, { tops, store, column: column.id, measure })
  return (
    <div
      ref={list}
      className={css.cards}
      data-cards
      onScroll={() => flushSync(measure)}
      onFocus={({ target }) => setActive(target.closest<HTMLElement>('[data-item]')?.dataset['item'])}
    >
      <ul className={css.list} style={{ height: tops[total]! }} aria-label={`Items in ${column.name}`}>
        {shown.map((index) => {
          const row = source.row(index)
          return row ? (
            <Card
              key={row.item_id}
              row={store.edits.shown(row)}
              index={index}
              total={total}
              top={tops[index]!}
              fields={fields}
              column={column.id}
              chosen={isChosen(selection, row.item_id)}
              isTab={index === tabbed}
              isOpen={row.item_id === beside}
            />
          ) : (
            <li key={index} className={css.waiting} style={{ translate: `0 ${tops[index]}px` }} aria-hidden />
          )
        })}
      </ul>
    </div>
  )
}

function places(source: RowSource, total: number, item_id: string): number {
  for (let i = 0; i < total; i++) if (source.row(i)?.item_id === item_id) return i
  return -1
}

/** Which cards are drawn, by their places. */
function useSight(
  list: RefObject<HTMLDivElement | null>,
  tops: Float64Array,
  source: RowSource,
): { drawn: readonly number[]; measure: () => void } {
  const [sight, setSight] = useState({ first: 0, last: 12 })
  const asked = useRef<{ source: RowSource | null; first: number; last: number }>({
    source: null,
    first: 0,
    last: 0,
  })
  const measure = useCallback(() => {
    const element = list.current
    if (!element || tops.length < 2) return
    const first = indexAt(tops, element.scrollTop - BEYOND)
    const last = indexAt(tops, element.scrollTop + element.clientHeight + BEYOND)
    const was = asked.current
    // Each viewport is answered by a change of the rows, after which it is measured again.
    if (was.source !== source || was.first !== first || was.last !== last) {
      asked.current = { source, first, last }
      source.setViewport(first, last + 1)
    }
    setSight((old) => (old.first === first && old.last === last ? old : { first, last }))
  }, [list, tops, source])
  useLayoutEffect(measure, [measure])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(list.current!)
    return () => observer.disconnect()
  }, [measure, list])
  const total = tops.length - 1
  const drawn = useMemo(() => {
    const count = Math.max(0, Math.min(sight.last, total - 1) - sight.first + 1)
    return Array.from({ length: count }, (_, i) => sight.first + i)
  }, [sight, total])
  return { drawn, measure }
}

interface Measuring {
  heights: Heights
  tops: Float64Array
  onMeasured: () => void
}

/** Cards are as high as what is in them: what was guessed becomes known, and what is in sight stays where it is. */
function useMeasured(list: RefObject<HTMLDivElement | null>, { heights, tops, onMeasured }: Measuring): void {
  const held = useRef<{ id: string; by: number } | null>(null)
  useLayoutEffect(() => {
    const element = list.current!
    const cards = [...element.querySelectorAll<HTMLElement>('[data-item]')]
    // Where the one at the upper edge was, it is again.
    const kept = held.current
    if (kept) {
      held.current = null
      const card = cards.find(({ dataset }) => dataset['item'] === kept.id)
      if (card) element.scrollTop = tops[Number(card.dataset['index'])]! + kept.by
    }
    let differs = false
    for (const card of cards) differs = heights.set(card.dataset['item']!, card.offsetHeight) || differs
    if (!differs) return
    const edge = cards.find(
      ({ dataset, offsetHeight }) => tops[Number(dataset['index'])]! + offsetHeight > element.scrollTop,
    )
    if (edge && element.scrollTop > 0)
      held.current = {
        id: edge.dataset['item']!,
        by: element.scrollTop - tops[Number(edge.dataset['index'])]!,
      }
    onMeasured()
  })
}

interface Revealing {
  tops: Float64Array
  store: BoardColumnProps['store']
  column: string
  measure: () => void
}

/** The card that is to have the focus as soon as it is drawn. */
function useReveal(list: RefObject<HTMLDivElement | null>, { tops, store, column, measure }: Revealing) {
  const [wanted, setWanted] = useState(-1)
  const reveal = useEffectEvent((index: number) => {
    const element = list.current!
    const top = tops[index] ?? 0
    const end = tops[index + 1] ?? top
    if (top < element.scrollTop) element.scrollTop = top
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight
    flushSync(() => {
      measure()
      setWanted(index)
    })
  })
  useEffect(() => store.listed(column, (index) => reveal(index)), [store, column])
  // After each time that something is drawn: what is wanted may have to be read first.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    if (wanted < 0) return
    const card = drawnName(list.current!, wanted)
    // Read only now: it gets it when it is there.
    if (!card) return
    card.focus({ preventScroll: true })
    card.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    setWanted(-1)
  })
}
