import { createContext, type RefObject, use } from 'react'

/** What can be done with a card; read when it is done, so that no card is drawn again for it. */
export interface BoardHands {
  toggle: (item_id: string) => void
  move: (item_id: string, column: string) => void
  open: (item_id: string) => void
  peek: (item_id: string) => void
}

export interface BoardAround {
  hands: RefObject<BoardHands>
  /** The columns, without what is counted in them: no card is drawn again for a number. */
  targets: readonly { id: string; name: string }[]
  readOnly: boolean
}

export const BoardContext = createContext<BoardAround | null>(null)

export function useBoardAround(): BoardAround {
  const around = use(BoardContext)
  if (!around) throw new Error('A card is on no board')
  return around
}
