import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const NAMES = [
  '<img src=x onerror=alert(1)> <b>bold</b>',
  '\u202Etxet \u05E9\u05DC\u05D5\u05DD',
  'Averyveryverylongword'.repeat(20),
  '🎉'.repeat(50),
]
/** What somebody may send one as an address, and what is then to be read. */
const ADDRESSES: readonly [query: string, words: string][] = [
  ['f={"and":[1,null,"x",{"or":{}}]}', 'This could not be read'],
  ['f={"__proto__":{"x":1},"constructor":"x"}', 'This could not be read'],
  [`f=${'{"and":['.repeat(60)}${']}'.repeat(60)}`, 'This could not be read'],
  ['s=No.such:desc', 'is no field any more: No.such'],
  ['g=No.such', 'is no field any more: No.such'],
  ['s=nothing', 'This could not be read'],
  ['g=nothing', 'This cannot be grouped'],
  ['item=../../x', 'There is no such item'],
  [`q=${'x'.repeat(3000)}`, 'No items match'],
]

describe('what strangers make', () => {
  flow('is shown as it is written, and no address breaks the page', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: '<script>alert(1)</script>',
      fields: { '<b>x</b>': 'String', m: { type: 'MultiSelect', variants: ['<i>a</i>', 'v'.repeat(100)] } },
    })
    const values = { '<b>x</b>': NAMES[0], m: ['<i>a</i>', 'v'.repeat(100)] }
    const made = await client.ok('POST', '/api/items/bulk', {
      items: NAMES.map((name) => ({ name, tags: [{ tag_ref: { Existing: tag_id }, field_values: values }] })),
    })
    await page.goto(`/tags/${tag_id}`)
    await page.getByRole('row', { name: /^Select <img/ }).waitFor()
    await page.getByRole('heading', { name: '<script>alert(1)</script>' }).waitFor()
    for (const [query, words] of ADDRESSES) {
      await page.goto(
        `/tags/${tag_id}?${query.replace(/=(.*)$/s, (_, value: string) => `=${encodeURIComponent(value)}`)}`,
      )
      await page.getByText(words).first().waitFor()
    }
    // What is wrong can be left.
    await page.goto(`/tags/${tag_id}?s=nothing`)
    await page.getByRole('button', { name: 'Clear filter, search and order' }).click()
    await page.getByRole('row', { name: /^Select <img/ }).waitFor()
    await page.goto(`/tags/${tag_id}?g=nothing`)
    await page.getByRole('button', { name: 'Show it without groups' }).click()
    await page.getByRole('row', { name: /^Select <img/ }).waitFor()
    // Nothing is wider than a phone.
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByText('Averyvery').first().waitFor()
    const wide = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > 361)
          .filter((each) => !each.parentElement!.closest('[class]')?.matches('pre'))
          .map((each) => each.outerHTML.slice(0, 80))
          .slice(0, 3),
      )
    const cards = page.getByRole('list').filter({ hasText: 'Averyvery' })
    expect(
      await cards
        .getByRole('listitem')
        .first()
        .evaluate((each) => each.getBoundingClientRect().right),
    ).toBeLessThan(361)
    await axe()
    await page.goto(`/items/${made[2].item_id}`)
    await page.getByRole('heading', { name: /^Averyvery/ }).waitFor()
    expect(await wide()).toEqual([])
  })

  flow('may have two hundred fields, of which those in sight are drawn', async ({ page, signIn }) => {
    const client = await signIn()
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, 'Number']))
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Wide', fields })
    const field_values = Object.fromEntries(Object.keys(fields).map((name, i) => [name, i]))
    await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 60 }, (_, i) => ({
        name: `row ${i}`,
        tags: [{ tag_ref: { Existing: tag_id }, field_values }],
      })),
    })
    await page.goto(`/tags/${tag_id}?s=created_at`)
    await page.locator('[data-cell="0:0"]').getByText('row 0').click()
    expect(await page.locator('[role=gridcell]').count()).toBeLessThan(1500)
    await page.keyboard.press('Control+ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const cell = page.locator('[data-cell="0:200"]')
    await cell.getByText('199').waitFor()
    await expect.poll(() => cell.evaluate((each) => each === document.activeElement)).toBe(true)
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await cell.getByText('7', { exact: true }).waitFor()
    await expect
      .poll(async () => (await client.ok('POST', '/api/items/search', { filter: { 'Wide.f199': 7 } })).length)
      .toBe(1)
    await page.getByRole('columnheader', { name: /^f199/ }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('columnheader', { name: /^f0/ }).waitFor()
  })

  flow(
    'is pasted by the thousand, as a few changes that are taken back at once',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 1500)
      let writes = 0
      page.on('request', (request) => {
        if (['PUT', 'POST'].includes(request.method()) && /tags\/|batch/.test(request.url())) writes++
      })
      await page.goto(`/tags/${task}?s=created_at`)
      await page.getByText('1,500', { exact: true }).waitFor()
      const effort =
        1 +
        (await page.getByRole('columnheader').allTextContents()).findIndex((each) =>
          each.startsWith('effort'),
        ) -
        2
      await page.locator(`[data-cell="0:${effort}"]`).click()
      await page.evaluate(
        (text) => {
          const data = new DataTransfer()
          data.setData('text/plain', text)
          document.activeElement!.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
          )
        },
        Array.from({ length: 1502 }, (_, i) => (i === 3 ? 'many' : String(i + 1000))).join('\n'),
      )
      const dialog = page.getByRole('dialog', { name: 'Paste' })
      await dialog
        .getByText('This will change 1499 cells of 1499 items. 1 cell cannot take what was copied.')
        .waitFor()
      await dialog.getByText('2 rows more were copied than there are from here on').waitFor()
      await dialog.getByRole('button', { name: 'Change the 1499 that fit' }).click()
      await page.getByRole('region', { name: 'Messages' }).getByText('Pasted 1499 cells').waitFor()
      expect(writes).toBe(3)
      const above = async () =>
        (await client.ok('POST', '/api/items/search', { filter: { 'Task.effort': { gte: 1000 } } })).length
      expect(await above()).toBe(1499)
      await page.keyboard.press('Control+z')
      await expect.poll(above).toBe(0)
    },
  )

  flow('nobody is misled by a name where they decide by it', async ({ page, signIn, service }) => {
    const client = await signIn()
    const evil = '\u202eevil\u2066 key\u200f'
    await client.ok('POST', '/api/keys', { name: evil, scope: 'read' })
    const { item_id } = await client.ok('POST', '/api/items', { name: `Mine ${evil}` })
    const other = await service.user('other@example.org')
    await other.ok('PUT', '/api/auth/profile', { display_name: '\u202enimda' })
    await client.ok('PUT', `/api/items/${item_id}`, { name: `Ours ${evil}` })
    for (const [path, shown] of [
      ['/settings/agents', 'evil key'],
      ['/settings/members', 'nimda'],
      ['/history', 'evil key'],
    ] as const) {
      await page.goto(path)
      await page.getByText(shown).first().waitFor()
      expect(await page.locator('main').innerText(), path).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200f]/)
      expect(await page.locator('main bdi').count()).toBeGreaterThan(0)
    }
  })
})
