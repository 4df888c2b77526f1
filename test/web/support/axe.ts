import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type PageParts, type Part, partsOf } from '#test/web/support/page-parts.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Parts of pages in which axe has found nothing, in this process. */
const passed = new Set<string>()

/**
 * Asks axe with the page's own document; the policy of the page does not bind what a test evaluates. What looks and is
 * described as something that has passed, at the same place of the same page, is not asked again: sixty rows of a
 * table are one, and the navigation is the same in most flows.
 */
export async function checkAxe(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' }) // a page that is still being loaded has none
  await page.locator('[data-old]').first().waitFor({ state: 'detached' }) // rows that others are coming for are pale
  const described = await partsOf(page)
  const parts = JSON.parse(await described.evaluate((all) => JSON.stringify(all.parts))) as Part[]
  if (passed.has(parts[0]!.key)) return
  const known = knownPlaces(parts)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const found = await described.evaluate(findFaults, { rules: RULES, known })
  expect(found).toEqual([])
  for (const { key } of parts) passed.add(key)
}

/** Places of elements in parts that have passed, or are as another part of the same page. */
function knownPlaces(parts: readonly Part[]): number[] {
  const known: number[] = []
  const here = new Set<string>()
  let end = 0
  for (const [place, { key, isWhole, end: after }] of parts.entries()) {
    if (place >= end && !isWhole && (passed.has(key) || here.has(key))) end = after
    if (place < end) known.push(place)
    else here.add(key)
  }
  return known
}

interface Axe {
  run: (on: object, options: object) => Promise<Found>
}

interface Found {
  violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[]
}

/** Runs in the page. */
async function findFaults(
  { elements }: PageParts,
  { rules, known }: { rules: readonly string[]; known: readonly number[] },
): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: Axe }
  const left = new Set<Node | null>(known.map((place) => elements[place]!))
  // Axe asks each part that it leaves out about each element, for each rule: one that answers for all is far quicker.
  const [first] = left
  if (first) first.contains = (other) => left.has(other)
  try {
    const on = { include: [document], exclude: first ? [first] : [] }
    const { violations } = await axe.run(on, { runOnly: rules, resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`,
    )
  } finally {
    if (first) Reflect.deleteProperty(first, 'contains')
  }
}
