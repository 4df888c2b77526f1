import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
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
})
