import type { Place } from '#web/table/cursor.ts'

/** The element of a cell within its grid; none where it is not drawn. Rows are drawn in the elements of others. */
export const drawnCell = (grid: HTMLElement | null, { row, column }: Place): HTMLElement | null =>
  grid?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`) ?? null
