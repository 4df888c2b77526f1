import type { Row } from '#web/data/row-source.ts'
import type { BoardStore } from '#web/layout/board-store.ts'
import type { LayoutProps } from '#web/layout/layout-props.ts'
import type { Hours } from '#web/rules/hours.ts'
import type { Schedule, Span } from '#web/rules/schedule.ts'
import type { Reader } from '#web/rules/typed-date.ts'

/** `data-drop` of what is on no day. */
export const NO_DAY = 'none'

/** An item, and the days on which it is. */
export interface Dated {
  row: Row
  span: Span
}

/** With its times on its one day. */
export type Timed = Dated & Hours

export interface CalendarGridProps extends Omit<LayoutProps, 'day'> {
  day: string
  today: string
  reader: Reader
  weeks: readonly (readonly string[])[]
  items: readonly Dated[]
  schedule: Schedule
  /** Nothing is moved here. */
  isFixed: boolean
  isPhone: boolean
  store: BoardStore
  /** At its own hour, unless one is given. */
  move: (item_id: string, day: string | null, clock?: number) => boolean
  /** By so many milliseconds. */
  moveBy: (item_id: string, by: number) => boolean
  onMade: (row: Row) => void
}
