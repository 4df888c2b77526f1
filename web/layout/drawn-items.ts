/** The buttons with the names of the items that are drawn within a cell, in their order. */
export const drawnNames = (cell: Element): readonly HTMLElement[] => [
  ...cell.querySelectorAll<HTMLElement>('[data-name]'),
]

/** The button with the name of the item at a place of a list; none where it is not drawn. */
export const drawnName = (list: Element, index: number): HTMLElement | null =>
  list.querySelector<HTMLElement>(`[data-index="${index}"] [data-name]`)
