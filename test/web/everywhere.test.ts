import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

/** What a phone shows, and a window of 1,280 × 1,024 px at a zoom of 400 %. */
const SIZES = [
  { width: 360, height: 640 },
  { width: 320, height: 256 },
]
/** What may be wider than the window: tables, code, and a year by its days, which is told as a list beside. */
const WIDE = '[role=grid], [data-layout=board], pre, table, [aria-label="Changes by day"]'
/** Pixels in which rows can be read. */
const ROOM = 150

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
      `/tags/${task}?l=board`,
      `/tags/${task}?l=calendar&on=2026-03-12`,
      `/tags/${task}?f=${encodeURIComponent('{"and":[{"Task.status":"idea"},{"Task.effort":{"lt":99}}]}')}`,
      `/views/${view_id}`,
      `/items/${ids[0]}`,
    ],
    pages: [
      '/tags',
      '/views',
      `/tags/${task}/schema`,
      '/trash',
      '/history',
      '/chat',
      '/import',
      '/new?title=A+page&text=What+it+says&url=https://facet.example/a/long/address/that/goes/on',
      '/notifications',
      '/proposals',
    ],
  }
}

/** What is scrolled sideways though it is text, and rows and messages that have no room. */
const unreadable = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([wide, room]) => {
      const seen = [...document.querySelectorAll<HTMLElement>('*')].filter((each) => each.checkVisibility())
      const scrolled = seen.filter((each) => each === document.documentElement || scrolls(each, 'overflowX'))
      const sideways = scrolled.filter(
        (each) => each.scrollWidth > each.clientWidth + 1 && !each.matches(wide),
      )
      const low = seen.filter(
        (each) =>
          scrolls(each, 'overflowY') && each.clientHeight < room && each.scrollHeight > each.clientHeight + 1,
      )
      function scrolls(each: HTMLElement, way: 'overflowX' | 'overflowY') {
        return /auto|scroll/.test(getComputedStyle(each)[way])
      }
      return [
        ...sideways.map((each) => `sideways: ${each.outerHTML.slice(0, 80)}`),
        ...low.map((each) => `no room: ${each.outerHTML.slice(0, 80)}`),
      ]
    },
    [WIDE, ROOM] as const,
  )

async function check(page: Page, axe: () => Promise<void>, paths: readonly string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const path of paths) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle').catch(() => undefined)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      expect([path, size.width, await unreadable(page)]).toEqual([path, size.width, []])
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
    'asks axe again where something has changed, in one row of many too',
    async ({ page, signIn, axe }) => {
      const { task } = await makeTasks(await signIn(), 12)
      await page.goto(`/tags/${task}`)
      await page.getByRole('row', { name: /Water the plants 11/ }).waitFor()
      await axe()
      const cell = page.locator('[data-row="7"] [role=gridcell]').nth(1)
      const refused = async (fault: (element: Element) => void, rule: RegExp) => {
        await cell.evaluate(fault)
        await expect(axe()).rejects.toHaveProperty(
          'actual',
          expect.arrayContaining([expect.stringMatching(rule)]),
        )
        await page.reload()
        await page.getByRole('row', { name: /Water the plants 11/ }).waitFor()
        await axe()
      }
      await refused((each) => each.append(document.createElement('button')), /button-name/)
      await refused((each) => each.setAttribute('aria-selected', 'perhaps'), /aria-valid-attr-value/)
      await refused((each) => each.setAttribute('role', 'button'), /aria-required-children/)
      await refused((each) => {
        const text = document.createElement('span')
        text.textContent = 'pale'
        text.style.color = '#eee'
        each.replaceChildren(text)
      }, /color-contrast/)
    },
  )

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
      // A range, the rows that are selected, and pills have edges that nothing cuts off or covers.
      await page.keyboard.press('Shift+ArrowDown')
      const of = (selector: string, name: 'outlineStyle' | 'borderTopStyle', part?: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element, [name, part]) => getComputedStyle(element, part)[name], [name, part] as const)
      expect(await of('[data-cell="1:0"]', 'outlineStyle')).toBe('dashed')
      await page.keyboard.press('Shift+Space')
      await page.getByText('2 selected').first().waitFor()
      expect(await of('[data-row="1"]', 'borderTopStyle', '::after')).toBe('solid')
      expect(await of('[data-row="2"]', 'borderTopStyle', '::after')).toBe('none')
      const pill = page.getByRole('gridcell').getByText('work', { exact: true }).locator('..')
      expect(await pill.first().evaluate((element) => getComputedStyle(element).outlineOffset)).toBe('-1px')
      await picture(page, 'forced', { widths: ['wide'] })
    },
    { context: { forcedColors: 'active' } },
  )
})
