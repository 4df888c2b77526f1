import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

/** What a narrow window shows, and one of 1,280 px at a zoom of 400 %. */
const WIDTHS = [360, 320]

async function base(client: Client): Promise<{ tables: string[]; pages: string[] }> {
  const { task, ids } = await makeTasks(client, 12)
  const { view_id } = await client.ok('POST', '/api/views', {
    name: 'A view with a name that is as long as names of views ever get in practice',
    filter: { 'Task.status': 'open' },
  })
  await client.ok('PUT', `/api/items/${ids[0]}`, {
    name: `Averylongwordwithoutanyplacetobreak${'x'.repeat(80)} and more`,
    description:
      '<h2>Before</h2><table><tr><td>One</td><td>Two</td></tr></table><pre>a long line of code that goes on and on and on</pre>',
  })
  await client.ok('DELETE', `/api/items/${ids[1]}`)
  return {
    tables: [
      '/',
      '/items',
      `/tags/${task}`,
      `/tags/${task}?g=Task.status`,
      `/views/${view_id}`,
      `/items/${ids[0]}`,
    ],
    pages: ['/tags', '/views', `/tags/${task}/schema`, '/trash', '/history', '/chat', '/import'],
  }
}

async function check(page: Page, axe: () => Promise<void>, paths: readonly string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const path of paths) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle').catch(() => undefined)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 256 * 2 })
      const wide = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return scrollWidth - clientWidth
      })
      expect(`${path} at ${width}: ${wide} too wide`).toBe(`${path} at ${width}: 0 too wide`)
    }
    await axe()
    await picture(page, `small${path.replaceAll(/[^a-z]+/g, '-')}`, { widths: ['phone'] })
  }
}

describe('every page, dark and narrow', () => {
  flow('shows what is in the base', async ({ page, signIn, axe }) => {
    await check(page, axe, (await base(await signIn())).tables)
  })

  flow('shows what is around it', async ({ page, signIn, axe }) => {
    await check(page, axe, (await base(await signIn())).pages)
  })

  flow('shows the settings', async ({ page, signIn, axe }) => {
    await signIn()
    await check(
      page,
      axe,
      ['account', 'security', 'appearance', 'agents', 'members', 'webhooks', 'log'].map(
        (each) => `/settings/${each}`,
      ),
    )
  })

  flow(
    'keeps its edges where colours are forced',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 6)
      await page.goto(`/tags/${task}`)
      await page.locator('[data-cell="0:0"]').click()
      const here = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Task' })
      const edge = () => here.evaluate((element) => getComputedStyle(element).outlineStyle)
      expect(await edge()).toBe('solid')
      const cell = page.locator('[data-cell="0:0"]')
      expect(await cell.evaluate((element) => getComputedStyle(element, '::after').borderTopStyle)).toBe(
        'solid',
      )
    },
    { context: { forcedColors: 'active' } },
  )
})
