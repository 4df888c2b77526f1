import type { KeyboardEvent, RefObject } from 'react'
import type { BoardHands } from '#web/layout/board-context.ts'
import type { BoardStore } from '#web/layout/board-store.ts'
import type { LayoutProps } from '#web/layout/layout-props.ts'
import { type Action, useActions } from '#web/parts/action.ts'
import { type BoardColumn, movedCard } from '#web/rules/board.ts'
import { EVERYTHING, isNothing, NOTHING } from '#web/table/selection.ts'

const PAGE = 5

const HEARD: readonly [keys: string, title: string][] = [
  ['alt+arrowright', 'Move the card to the next column; Alt ← to the one before'],
  ['enter', 'Open the item next to it'],
  ['mod+enter', 'Open the item'],
  ['shift+enter', 'New item in this column'],
  ['shift+ ', 'Select the card'],
  ['mod+a', 'Select all that match'],
]

/** What the board hears by itself, for the map of keys. */
const BOARD_KEYS: readonly Action[] = HEARD.map(([keys, title]) => ({
  id: `board ${keys}`,
  title,
  keys,
  group: 'Board',
  heard: true,
  run: () => undefined,
}))

interface BoardKeys extends Pick<LayoutProps, 'selection' | 'onSelection' | 'beside' | 'onTurn'> {
  shown: readonly BoardColumn[]
  store: BoardStore
  hands: RefObject<BoardHands>
}

export function useBoardKeys(keys: BoardKeys) {
  useActions(BOARD_KEYS)
  const { shown, store, hands, selection, onSelection } = keys
  const places = (target: Element) => {
    const column = shown.findIndex(
      ({ id }) => id === target.closest<HTMLElement>('[data-drop]')?.dataset['drop'],
    )
    const card = target.closest<HTMLElement>('[data-item]')
    if (column < 0 || !card) return undefined
    return { column, index: Number(card.dataset['index']), item: card.dataset['item']! }
  }
  const sideways = (item: string, column: number, by: number) => {
    const to = shown[column + by]
    if (!to) return
    hands.current.move(item, to.id)
    // It is there at once, before it is saved.
    const source = store.source(to.id)
    const index = source
      ? Array.from({ length: source.total }, (_, i) => i).findIndex((i) => source.row(i)?.item_id === item)
      : -1
    store.reveal(to.id, Math.max(0, index))
  }
  const plain = (event: KeyboardEvent, column: number, item: string): boolean => {
    const { key, shiftKey } = event
    const isMod = event.ctrlKey || event.metaKey
    if (key === 'Enter' && shiftKey) store.add(shown[column]!.id)
    else if (key === 'Enter' && isMod) hands.current.open(item)
    else if (key === ' ' && shiftKey) hands.current.toggle(item)
    else if ((key === 'Enter' || key === ' ') && !isMod) hands.current.peek(item)
    else if (key === 'a' && isMod) onSelection(EVERYTHING)
    else return false
    return true
  }
  return (event: KeyboardEvent) => {
    const target = event.target as Element
    if (target.closest('input, [aria-haspopup], [role=menu]')) return
    const { key, altKey } = event
    if (key === 'Escape') {
      if (keys.beside !== null) keys.onTurn(null)
      else if (!isNothing(selection)) onSelection(NOTHING)
      return
    }
    const here = places(target)
    if (!here) return
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    if (altKey && by) sideways(here.item, here.column, by)
    else if (altKey) return
    else if (!plain(event, here.column, here.item)) {
      const totals = shown.map(({ id, count }) => store.source(id)?.total ?? count)
      const to = event.ctrlKey || event.metaKey ? undefined : movedCard(key, here, totals, PAGE)
      if (!to) return
      store.reveal(shown[to.column]!.id, to.index)
    }
    event.preventDefault()
  }
}
