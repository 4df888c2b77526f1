import type { Locator } from 'playwright-core'

/** Chooses in one of our lists as a person does: opened, and what reads so is pressed. */
export async function choose(box: Locator, words: string): Promise<void> {
  await box.click()
  await box
    .page()
    .locator('[role=listbox]:popover-open')
    .getByRole('option', { name: words, exact: true })
    .click()
}
