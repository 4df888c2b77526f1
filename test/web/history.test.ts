import { describe, expect } from 'vitest'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('the history', () => {
  flow('takes a change back, and what stands in the way stays', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 6)
    await client.ok('POST', '/api/items/bulk-update-fields', {
      filter: { 'Task.status': 'open' },
      tag_id: task,
      field_values: { note: 'all at once' },
      merge: true,
    })
    await client.ok('PUT', `/api/items/${ids[1]}/tags/${task}`, {
      field_values: { note: 'by hand' },
      merge: true,
    })
    await page.goto('/history')
    await page.getByRole('button', { name: /^Undo: Set Task.note of 2 items/ }).waitFor()
    // Of a base that is younger than a week no year is drawn.
    await expect.poll(() => page.getByRole('figure').count()).toBe(0)
    await picture(page, 'history')
    await axe()
    await page.getByRole('button', { name: /^Undo: Set Task.note of 2 items/ }).click()
    await page.getByText('One thing stays as it is').waitFor()
    await picture(page, 'history-undo', { widths: ['wide', 'phone'] })
    await axe()
    await page.getByRole('button', { name: 'Undo the rest' }).click()
    await page
      .getByText(/^Undone: Set Task.note/)
      .first()
      .waitFor()
    const note = async (id = '') => (await client.ok('GET', `/api/items/${id}`)).data[task].field_values.note
    expect(await note(ids[1])).toBe('by hand')
    expect((await note(ids[5])) ?? null).toBeNull()
    await page.getByRole('link', { name: /^Set Task.note of 2 items/ }).click()
    await page.getByText('all at once').first().waitFor()
    await page.getByText(/taken back/).waitFor()
    await picture(page, 'history-change')
    await axe()
  })

  flow('takes back all that an agent did since a time', async ({ page, signIn }) => {
    const client = await signIn()
    const { ids } = await makeTasks(client, 3)
    const { key } = await client.ok('POST', '/api/keys', { name: 'Night shift', scope: 'write' })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await page.goto('/history')
    for (const id of ids) {
      const body = JSON.stringify({ name: 'Renamed to 2' })
      await fetch(new URL(`/api/items/${id}`, page.url()), { method: 'PUT', headers, body })
    }
    await page.reload()
    await choose(page.getByLabel('Which agent or key'), 'Night shift')
    await page.getByLabel('Since').fill('2026-01-01T00:00')
    await page.getByRole('button', { name: 'Undo all of these…' }).click()
    await page.getByText('This sets back 3 items.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${ids[2]}`)).name)
      .not.toBe('Renamed to 2')
    await page
      .getByText(/· undone/)
      .first()
      .waitFor()
  })

  flow(
    'shows an item’s own history, as it was then, and takes an entry back',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 3)
      await client.ok('PUT', `/api/items/${ids[0]}`, { description: '<p>Twice a week, never at noon</p>' })
      await client.ok('PUT', `/api/items/${ids[0]}`, { description: '<p>Once a week, never at noon</p>' })
      await client.ok('PUT', `/api/items/${ids[0]}/tags/${task}`, {
        field_values: { effort: 99 },
        merge: true,
      })
      await page.goto(`/items/${ids[0]}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('h')
      await page.locator('del').filter({ hasText: 'Twice' }).waitFor()
      await picture(page, 'item-history')
      await axe()
      await page
        .getByRole('button', { name: /^As it was/ })
        .last()
        .click()
      await page.getByRole('dialog').getByText('Ask before it rains').waitFor()
      await axe()
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Take back: Changed/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
      await expect
        .poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.effort)
        .toBe(0.25)
      // What is taken back already would change nothing: the undo itself can be, the change cannot.
      const entries = page.getByRole('region', { name: 'History' }).getByRole('listitem')
      const offers = () =>
        entries.evaluateAll((all) =>
          all.map((each) => each.querySelector('button[aria-label^="Take back"]') !== null),
        )
      await expect.poll(offers).toEqual([true, false, true, true, true])
    },
  )
})
