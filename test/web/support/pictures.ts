import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** `double`: a page of 1,280 at 200 %. */
const SIZES = {
  wide: [1360, 860],
  tablet: [820, 860],
  phone: [390, 780],
  full: [1920, 1080],
  desk: [1280, 800],
  small: [360, 740],
  double: [640, 400],
} as const
export type Width = keyof typeof SIZES

/** Where pictures go for anyone who wants to look; without the variable none are taken. */
const FOLDER = process.env['PICTURES']

/** Pictures of the page as it is now, in both themes and three widths, or those that are asked for: `PICTURES=/tmp/pictures npx vitest run …`. */
export async function picture(
  page: Page,
  name: string,
  { widths = ['wide', 'tablet', 'phone'] }: { widths?: Width[] } = {},
): Promise<void> {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  const before = page.viewportSize()
  for (const width of widths)
    for (const colorScheme of ['light', 'dark'] as const) {
      const [wide, high] = SIZES[width]
      await page.setViewportSize({ width: wide, height: high })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
    }
  if (before) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: null })
}
