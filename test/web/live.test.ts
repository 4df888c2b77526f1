import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('what others do', () => {
  flow('shows at once, and moves nothing; all tabs share one stream', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 9)
    let streams = 0
    page.context().on('request', (request) => {
      if (request.url().includes('/api/changes/stream')) streams++
    })
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Water the plants 1 / }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`/tags/${task}?s=created_at`)
    await other.getByRole('row', { name: /Water the plants 1 / }).waitFor()
    await expect.poll(() => streams).toBe(1)
    // Whoever does it: here it is the same account, by another connection.
    await client.ok('PUT', `/api/items/${ids[2]}`, { name: 'Write to Ada' })
    await page.getByRole('row', { name: /Write to Ada/ }).waitFor()
    await other.getByRole('row', { name: /Write to Ada/ }).waitFor()
    await page.locator('[data-row="2"]').getByText('Write to Ada').waitFor()
    await client.ok('POST', '/api/items', { name: 'Something new', tags: [{ tag_ref: { Existing: task } }] })
    await client.ok('DELETE', `/api/items/${ids[3]}`)
    await page.getByRole('button', { name: '1 new item' }).waitFor()
    await page.locator('[data-row="3"][data-gone]').waitFor()
    await expect.poll(() => page.locator('[data-row]').count()).toBe(9)
    await picture(page, 'live', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: '1 new item' }).click()
    await page.getByRole('row', { name: /Something new/ }).waitFor()
    await expect.poll(() => page.locator('[data-row]').count()).toBe(9)
    // A field and a variant get other names: their values, and the filters of views, are shown by the new ones.
    const { view_id } = await client.ok('POST', '/api/views', {
      name: 'Open ones',
      filter: { [`${task}.status`]: 'open' },
    })
    await other.goto(`/views/${view_id}`)
    await other.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    const third = await page.context().newPage()
    await third.goto(`/items/${ids[1]}`)
    await third
      .getByText('Ask before it rains')
      .or(third.getByText('open', { exact: true }))
      .first()
      .waitFor()
    await client.ok('PUT', `/api/tags/${task}`, {
      rename_fields: { effort: 'hours' },
      rename_variants: { status: { open: 'to do' } },
    })
    for (const shown of [page, other]) {
      await shown.getByRole('columnheader', { name: 'hours' }).waitFor()
      const row = shown.getByRole('row', { name: /Mend the roof 2/ })
      await row.getByText('to do', { exact: true }).waitFor()
      await row.getByText('1.25', { exact: true }).waitFor()
    }
    await other.getByRole('button', { name: 'status is "to do"' }).waitFor()
    await third.getByText('1.25', { exact: true }).waitFor()
    await third.getByText('to do', { exact: true }).first().waitFor()
    await third.close()
    await other.goto(`/tags/${task}?s=created_at`)
    await other.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    // The tab that listens goes: another one takes over, and misses nothing.
    await page.goto('about:blank')
    await expect.poll(() => streams).toBe(2)
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Water the lawn' })
    await other.getByRole('row', { name: /Water the lawn/ }).waitFor()
    await other.close()
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Water the lawn/ }).waitFor()
  })

  flow('is shown where it was done before the page could listen', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    const stream = await hold(page, 'GET', '**/api/changes/stream?*')
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Write to Grace 3/ }).waitFor()
    await stream.asked
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Water the lawn' })
    await client.ok('PUT', `/api/tags/${task}`, { rename_fields: { effort: 'hours' } })
    await client.ok('POST', '/api/items', { name: 'New', tags: [{ tag_ref: { Existing: task } }] })
    stream.send()
    await page.getByRole('row', { name: /Water the lawn/ }).waitFor()
    await page.getByRole('columnheader', { name: 'hours' }).waitFor()
    await page.getByRole('button', { name: '1 new item' }).waitFor()
    await expect.poll(() => page.locator('[data-row]').count()).toBe(3)
    // What the page has read is neither told again nor read again.
    const renewed: string[] = []
    page.on('request', (request) => {
      const asked = request.url().endsWith('/api/items/search') ? request.postData()! : ''
      if (ids.some((id) => asked.includes(id))) renewed.push(asked)
    })
    // The page before it may still ask for something.
    page.once('framenavigated', () => renewed.splice(0))
    await page.reload()
    await page.getByRole('row', { name: /New/ }).waitFor()
    await client.ok('PUT', `/api/items/${ids[1]}`, { name: 'Mend the fence' })
    await page.getByRole('row', { name: /Mend the fence/ }).waitFor()
    expect(renewed).toEqual([expect.stringContaining(ids[1]!)])
    expect(await page.getByRole('button', { name: /new item/ }).count()).toBe(0)
  })

  flow(
    'is shown in a tab that was not there yet when another one was told of it',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 3)
      await page.goto(`/tags/${task}?s=created_at`)
      await page.getByRole('row', { name: /Write to Grace 3/ }).waitFor()
      const other = await page.context().newPage()
      // Whose page it is, it hears late: it has read the rows by then.
      const me = await hold(other, 'GET', '**/api/auth/me')
      const rows = other.waitForResponse((answer) => answer.url().includes('/api/items/search'))
      await other.goto(`/tags/${task}?s=created_at`)
      await me.asked
      expect(await (await rows).text()).toContain('Water the plants 1')
      await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Water the lawn' })
      await page.getByRole('row', { name: /Water the lawn/ }).waitFor()
      me.send()
      await other.getByRole('row', { name: /Water the lawn/ }).waitFor()
    },
  )

  flow('is shown to those who have just signed in', async ({ page, signIn, service }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    await service.user('grace@example.org')
    await page.context().clearCookies()
    const stream = await hold(page, 'GET', '**/api/changes/stream?*')
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByLabel('E-mail').fill('grace@example.org')
    await page.getByLabel('Password').fill('correct horse')
    await client.ok('PUT', `/api/items/${ids[1]}`, { name: 'Done before' })
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Done before/ }).waitFor()
    await stream.asked
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Water the lawn' })
    stream.send()
    await page.getByRole('row', { name: /Water the lawn/ }).waitFor()
  })
})
