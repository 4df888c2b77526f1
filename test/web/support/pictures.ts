import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const WIDTHS = { wide: 1360, tablet: 820, phone: 390 } as const
type Width = keyof typeof WIDTHS

/** Where pictures go for anyone who wants to look; without the variable none are taken. */
const FOLDER = process.env['PICTURES']

/** Pictures of the page as it is now, in both themes and three widths: `PICTURES=/tmp/pictures npx vitest run …`. */
export async function picture(
  page: Page,
  name: string,
  { widths = Object.keys(WIDTHS) as Width[] }: { widths?: Width[] } = {},
): Promise<void> {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  const before = page.viewportSize()
  for (const width of widths)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width: WIDTHS[width], height: width === 'phone' ? 780 : 860 })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
    }
  if (before) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: null })
}
