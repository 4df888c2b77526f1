import type { Locator, Page } from 'playwright-core'

const headingOf = (page: Page, label: string): Locator =>
  page.getByRole('columnheader', { name: label }).first()

/** The place of a column among those that `data-cell` counts. */
const columnAt = async (page: Page, label: string): Promise<number> =>
  Number(await headingOf(page, label).getAttribute('aria-colindex')) - 2

/** The cell of a row, counted from the first. */
export const cellAt = async (page: Page, row: number, label: string): Promise<Locator> =>
  page.locator(`[data-cell="${row}:${await columnAt(page, label)}"]`)

/** The cell of the row that has a text. */
export const cellOf = async (page: Page, text: string, label: string): Promise<Locator> => {
  const at = await headingOf(page, label).getAttribute('aria-colindex')
  return page.getByRole('row').filter({ hasText: text }).locator(`[role=gridcell][aria-colindex="${at}"]`)
}
