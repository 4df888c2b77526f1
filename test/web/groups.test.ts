import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import type { Client } from '#test/support/client.ts'

describe('groups and charts', () => {
  flow('show rows by variant, open on demand, and are stored in views', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 50)
    await page.goto(`/tags/${task}?s=created_at`)
    await page
      .getByRole('row', { name: /Mend the roof/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Group' }).click()
    await axe()
    await page.getByRole('menuitem', { name: 'status' }).click()
    await page.waitForURL(/g=Task.status/)
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    const names = async () => (await headings.allInnerTexts()).map((each) => each.replaceAll(/\s+/g, ' '))
    await expect.poll(names).toEqual(['idea 13', 'open 13', 'doing 12', 'done 12'])
    await page.getByRole('button', { name: /^open/ }).click()
    const open = page.getByRole('grid', { name: 'Items of Task: open' })
    await open.getByRole('row', { name: /Mend the roof 2 / }).waitFor()
    await picture(page, 'groups')
    await axe()
    // What is edited in a group is edited there.
    await open.locator('[data-cell="0:0"]').click()
    await page.keyboard.type('Mended')
    await page.keyboard.press('Enter')
    await open.getByText('Mended').waitFor()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('By status')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/views\/\w+$/)
    await page.getByRole('button', { name: /^doing/ }).waitFor()
    await page.getByRole('button', { name: 'By status' }).click()
    await page.getByRole('menuitem', { name: 'No groups' }).click()
    await page.getByRole('row', { name: /Mended/ }).waitFor()
    await page.getByRole('img', { name: 'Not saved' }).waitFor()
  })

  flow('are also by text, numbers and months', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, person, people } = await makeTasks(client, 12)
    const team = (item_id: string | undefined, name: string) =>
      client.ok('PUT', `/api/items/${item_id}/tags/${person}`, { field_values: { team: name } })
    await team(people[0], 'Yard')
    await team(people[1], 'Yard')
    await page.goto(`/tags/${person}?g=Person.team`)
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await headings.nth(1).waitFor()
    const told = async () => (await headings.allInnerTexts()).map((each) => each.replaceAll(/\s+/g, ' '))
    await expect.poll(told).toEqual(['Yard 2', 'Nothing 1'])
    await page.getByRole('row', { name: /Ada/ }).waitFor()
    await axe()
    // Those of one size by their names as people count, and so are tags.
    for (const name of ['Squad 10', 'Squad 9', 'Squad 100']) {
      await client.ok('POST', '/api/tags', { name, fields: {} })
      await client.ok('POST', '/api/items', {
        name: 'Somebody',
        tags: [{ tag_ref: { Existing: person }, field_values: { team: name } }],
      })
    }
    await page.reload()
    await expect.poll(told).toEqual(['Yard 2', 'Nothing 1', 'Squad 9 1', 'Squad 10 1', 'Squad 100 1'])
    const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Squad/ })
    expect(await places.allInnerTexts()).toEqual(['Squad 9', 'Squad 10', 'Squad 100'])
    await page.goto(`/tags/${task}?g=Task.labels`)
    await expect
      .poll(async () => (await told()).map((each) => each.split(' ')[0]))
      .toEqual(['home', 'work', 'garden', 'later'])
    await page.goto(`/tags/${task}?g=Task.due`)
    await page.getByRole('button', { name: /^February 2026/ }).click()
    const open = page.getByRole('grid', { name: 'Items of Task: February 2026' })
    await open.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await expect.poll(async () => (await told())[0]).toBe('January 2026 2')
    // Moments by the reader's own months: in Berlin it is the first of March already.
    await client.ok('POST', '/api/items', {
      name: 'At night',
      tags: [{ tag_ref: { Existing: task }, field_values: { starts_at: '2026-02-28T23:30:00Z' } }],
    })
    await page.goto(`/tags/${task}?g=Task.starts_at`)
    const march = page.getByRole('grid', { name: 'Items of Task: March 2026' })
    await march.getByRole('row', { name: /At night/ }).waitFor()
    await expect.poll(async () => (await told())[0]).toBe('March 2026 4')
    await expect.poll(() => march.locator('[data-row]').count()).toBe(4)
    await page.goto(`/tags/${task}?g=Task.effort`)
    await page.getByRole('button', { name: /^1\.25/ }).click()
    await page.getByRole('grid', { name: 'Items of Task: 1.25' }).getByRole('row').nth(1).waitFor()
  })

  flow('count what is shown; a bar is a condition', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 50)
    await page.goto(`/tags/${task}`)
    await page.getByRole('button', { name: 'Charts and sums' }).click()
    const charts = page.getByRole('region', { name: 'Charts' })
    await charts.getByRole('button', { name: /^doing/ }).waitFor()
    const sum = Array.from({ length: 50 }, (_, i) => (i % 13) + 0.25).reduce((a, b) => a + b)
    await page.getByText(new RegExp(`^Σ ${sum}\\s+⌀ ${sum / 50}`)).waitFor()
    await picture(page, 'charts')
    await axe()
    await charts.getByRole('button', { name: 'As table' }).click()
    await charts.getByRole('cell', { name: 'doing' }).waitFor()
    await axe()
    await charts.getByRole('button', { name: 'As table' }).click()
    await choose(charts.getByLabel('When'), 'starts_at')
    const strip = charts.getByRole('listbox', { name: 'Columns by month' })
    await expect.poll(() => strip.getByRole('option').count()).toBe(1)
    await charts.getByText('Mar 2026', { exact: true }).waitFor()
    await strip.getByRole('option').click()
    await page.waitForURL(/starts_at/)
    await expect.poll(() => page.locator('[data-row]').count()).toBe(13)
    await page.goBack()
    // Several months in a row, by keys alone: the last three but one.
    await choose(charts.getByLabel('When'), 'due')
    await expect.poll(() => strip.getByRole('option').count()).toBe(9)
    await strip.focus()
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key)
    await charts.getByText('Jul 2026 – Aug 2026: 10. Enter shows only these').waitFor()
    await axe()
    await page.keyboard.press('Enter')
    await page.waitForURL(/2026-07-01.*2026-09-01/)
    await expect.poll(() => page.locator('[data-row]').count()).toBe(10)
    await page.goBack()
    // And by dragging over them.
    await expect.poll(() => strip.getByRole('option').count()).toBe(9)
    await strip.getByRole('option', { name: /^Jan/ }).hover()
    await page.mouse.down()
    await strip.getByRole('option', { name: /^Feb/ }).hover()
    await page.mouse.up()
    await page.waitForURL(/2026-01-01.*2026-03-01/)
    await page.goBack()
    await charts.getByRole('button', { name: /^doing/ }).click()
    await page.waitForURL(/doing/)
    await expect.poll(() => page.locator('[data-row]').count()).toBe(12)
  })

  flow('have figures of their own under each group, and hide no row of it', async ({ page, signIn }) => {
    const client = await signIn()
    const job = await makeJobs(client, [
      ['One', 'open', 2],
      ['Two', 'done', 5],
      ['Three', 'done', 846_839_123_456],
      ['Four', 'idea', null],
    ])
    await page.goto(`/tags/${job}?g=Job.status`)
    await page.getByRole('button', { name: 'Charts and sums' }).click()
    const grid = page.getByRole('grid', { name: 'Items of Job: idea' })
    await grid.getByText('Four').waitFor()
    // The one item of the group has no effort: there is nothing to sum up.
    expect(await grid.getByText(/Σ/).count()).toBe(0)
    const unfold = (group: string) =>
      page
        .getByRole('region', { name: group, exact: true })
        .getByRole('button', { name: group })
        .first()
        .click()
    await unfold('open')
    const open = page.getByRole('grid', { name: 'Items of Job: open' })
    await open.getByText(/Σ 2/).waitFor()
    await picture(page, 'groups-charts', { widths: ['wide'] })
    const row = (await open.getByRole('row', { name: /One/ }).boundingBox())!
    const foot = (await open.getByRole('row').last().boundingBox())!
    expect(row.y + row.height).toBeLessThanOrEqual(foot.y + 1)
    await unfold('done')
    // A large sum is whole in the width of its column.
    const large = page.getByRole('grid', { name: 'Items of Job: done' }).getByText(/Σ 846/)
    expect(await large.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true)
    expect(await large.innerText()).toMatch(/^Σ [\d.,]+.*\n⌀ /)
  })

  flow('leave the group open that is open, when another becomes the largest', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, people, ids } = await makeTasks(client, 7)
    await page.goto(`/tags/${task}?g=Task.assignee`)
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    const told = async () => (await headings.allInnerTexts()).map((each) => each.replaceAll(/\s+/g, ' '))
    await expect.poll(told).toEqual(['Ada 3', 'Grace 2', 'Linus 2'])
    const opened = (name: RegExp) => page.getByRole('button', { name }).getAttribute('aria-expanded')
    expect([await opened(/^Ada/), await opened(/^Grace/)]).toEqual(['true', 'false'])
    for (const id of [ids[2], ids[5]])
      await client.ok('PUT', `/api/items/${id}/tags/${task}`, {
        field_values: { assignee: people[1] },
        merge: true,
      })
    await expect.poll(told).toEqual(['Grace 4', 'Ada 3'])
    expect([await opened(/^Ada/), await opened(/^Grace/)]).toEqual(['true', 'false'])
  })

  flow('stay open in a view that was saved with them', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 5)
    await page.goto(`/tags/${task}`)
    await page.getByRole('button', { name: 'Charts and sums' }).click()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Charts')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/views\/\w+$/)
    await page.reload()
    const charts = page.getByRole('region', { name: 'Charts' })
    await charts.waitFor()
    expect(await page.getByRole('img', { name: 'Not saved' }).count()).toBe(0)
    // Closed it is not what the view keeps, until it is reset.
    await page.getByRole('button', { name: 'Charts and sums' }).click()
    await page.getByRole('img', { name: 'Not saved' }).waitFor()
    expect(await charts.count()).toBe(0)
    await page.getByRole('button', { name: 'Reset' }).click()
    await charts.waitFor()
  })
})

async function makeJobs(
  client: Client,
  rows: readonly (readonly [name: string, status: string, effort: number | null])[],
): Promise<string> {
  const { tag_id } = await client.ok('POST', '/api/tags', {
    name: 'Job',
    fields: { status: { type: 'Select', variants: ['idea', 'open', 'done'] }, effort: 'Number' },
  })
  const items = rows.map(([name, variant, effort]) => ({
    name,
    tags: [{ tag_ref: { Existing: tag_id }, field_values: { status: { variant }, effort } }],
  }))
  await client.ok('POST', '/api/items/bulk', { items })
  return tag_id
}
