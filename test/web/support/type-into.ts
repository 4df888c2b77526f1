import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Resolves when it has the focus by itself, and takes keys. */
export async function focused(box: Locator): Promise<void> {
  await box.waitFor()
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
  // An editor of rich text puts its caret a moment after the focus.
  await box.evaluate(() => new Promise((resume) => setTimeout(resume, 50)))
}

/** Types as a person does, by keys, once what takes them has the focus by itself. */
export async function typeInto(box: Locator, text: string): Promise<void> {
  await focused(box)
  await box.page().keyboard.type(text)
}
