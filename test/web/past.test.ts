import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { typeInto } from '#test/web/support/type-into.ts'

const at = (address: string, name: string) => new URL(address).searchParams.get(name)

describe('the base as it was', () => {
  flow('is shown as of a moment, and cannot be changed there', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 6)
    const then = new Date().toISOString()
    await setTimeout(2) // what happens within its millisecond belongs to a moment
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Water nothing' })
    await client.ok('DELETE', `/api/items/${ids[1]}`)
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Tasks', filter: { has_tag: task } })
    await page.goto(`/views/${view_id}?at=${then}`)
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await page.getByText('nothing can be changed here').waitFor()
    expect(await page.getByRole('button', { name: 'New item' }).count()).toBe(0)
    await axe()
    await picture(page, 'as-it-was')
    await page.getByRole('button', { name: 'Back to the present' }).last().click()
    await page.getByRole('row', { name: /Water nothing/ }).waitFor()
    await expect.poll(() => page.getByRole('row', { name: /Mend the roof 2/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'As it was …' }).click()
    await typeInto(page.getByRole('combobox', { name: 'As it was on' }), '2020-01-01')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(() => at(page.url(), 'at')).toContain('20')
    await expect.poll(() => page.getByRole('row', { name: /Water/ }).count()).toBe(0)
  })

  flow('shows the day where one is in the calendar of a low window', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 6)
    await page.setViewportSize({ width: 640, height: 320 })
    await page.goto(`/tags/${task}`)
    await page.getByText('Water the plants 1').first().waitFor()
    await page.getByRole('button', { name: 'As it was …' }).click()
    await typeInto(page.getByRole('combobox', { name: 'As it was on' }), '2026-08-31')
    await page.keyboard.press('ArrowDown')
    const calendar = page.locator(':popover-open')
    const here = calendar.getByRole('gridcell', { selected: true })
    // The last week of six, the last of the month before, and the first of that one.
    for (const [key, day] of [
      ['', '31 Aug'],
      ['PageUp', '31 Jul'],
      ['PageUp', '30 Jun'],
      ['Home', '29 Jun'],
    ] as const) {
      if (key) await page.keyboard.press(key)
      await expect.poll(() => here.getAttribute('aria-label')).toContain(day)
      const isShown = async () => {
        const [cell, around] = [await here.boundingBox(), await calendar.boundingBox()]
        return cell!.y >= around!.y && cell!.y + cell!.height <= around!.y + around!.height
      }
      await expect.poll(isShown).toBe(true)
    }
  })

  flow('says what changed since the last visit, in one click', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 6)
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Tasks', filter: { has_tag: task } })
    await page.goto(`/views/${view_id}`)
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Changed since my last visit' }).count()).toBe(0)
    // As if it had been an hour ago.
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((each) => /^facet\.seen\..+\./.test(each))!
      localStorage.setItem(key, ` ${new Date(Date.now() - 3_600_000).toISOString()}`)
    })
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Water nothing' })
    await page.reload()
    await page.getByRole('button', { name: 'Changed since my last visit' }).click()
    await page
      .getByText(/changed from .* on and before now/)
      .first()
      .waitFor()
    await page.getByRole('row', { name: /Water nothing/ }).waitFor()
  })
})
