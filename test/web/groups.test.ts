import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('groups and charts', () => {
  flow('show rows by variant, open on demand, and are kept by views', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 50)
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('button', { name: 'Group' }).click()
    await axe()
    await page.getByRole('menuitem', { name: 'status' }).click()
    await page.waitForURL(/g=Task.status/)
    const names = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
    expect(names.map((each) => each.replaceAll(/\s+/g, ' '))).toEqual([
      'idea 13',
      'open 13',
      'doing 12',
      'done 12',
    ])
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
    expect(await told()).toEqual(['Yard 2', 'Nothing 1'])
    await page.getByRole('row', { name: /Ada/ }).waitFor()
    await axe()
    await page.goto(`/tags/${task}?g=Task.due`)
    await page.getByRole('button', { name: /^February 2026/ }).click()
    const open = page.getByRole('grid', { name: 'Items of Task: February 2026' })
    await open.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    expect((await told())[0]).toBe('January 2026 2')
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
    await page.getByText(/^Σ [\d,.]+\s+⌀ /).waitFor()
    await picture(page, 'charts')
    await axe()
    await charts.getByRole('button', { name: 'As table' }).click()
    await charts.getByRole('cell', { name: 'doing' }).waitFor()
    await axe()
    await charts.getByRole('button', { name: 'As table' }).click()
    await charts.getByRole('button', { name: /^doing/ }).click()
    await page.waitForURL(/doing/)
    await expect.poll(() => page.locator('[data-row]').count()).toBe(12)
  })
})
