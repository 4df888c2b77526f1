import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { TestClock } from '#test/support/clock.ts'
import { choose } from '#test/web/support/choose.ts'
import { type Flow, flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const middle = async (of: Locator): Promise<[number, number]> => {
  const { x, y, width, height } = (await of.boundingBox())!
  return [x + width / 2, y + height / 2]
}

describe('views', () => {
  const clock = new TestClock()
  const shares = async ({ page, open, signIn, axe }: Flow) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 9)
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Ours', filter: { has_tag: task } })
    await page.goto(`/views/${view_id}`)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    // Another program has narrowed it meanwhile: sharing it takes nothing back.
    const narrowed = { and: [{ has_tag: task }, { search: 'water' }] }
    await client.ok('PUT', `/api/views/${view_id}`, { name: 'Ours', icon: '📋', filter: narrowed })
    await page.getByRole('menuitem', { name: 'Share with everybody' }).click()
    await page.getByText('Everybody sees Ours now').first().waitFor()
    expect((await client.ok('GET', `/api/views/${view_id}`)).filter).toEqual(narrowed)
    await client.ok('PUT', `/api/views/${view_id}`, { name: 'Ours', icon: '🎯', filter: { has_tag: task } })
    const second = await open()
    const other = await signIn(second)
    await second.goto('/views')
    const shared = second.getByRole('list', { name: 'Views' }).getByRole('listitem')
    await shared.filter({ hasText: 'Shared by somebody else' }).getByText('has the tag Task').waitFor()
    await picture(second, 'views')
    await shared.getByRole('link', { name: 'Ours' }).click()
    await second.getByText('Shared by somebody else').waitFor()
    await picture(second, 'view-shared', { widths: ['wide', 'phone'] })
    await second.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    await second.getByRole('button', { name: 'View', exact: true }).click()
    await expect.poll(() => second.getByRole('menuitem').allInnerTexts()).toEqual(['Watch', 'Save as …'])
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Share no more' }).click()
    await page.getByText('Ours is yours alone again').first().waitFor()
    // The first account owns the base: it may end that others share a view, and nothing else of it.
    const theirs = await other.ok('POST', '/api/views', {
      name: 'Theirs',
      filter: { has_tag: task },
      shared: true,
    })
    await page.goto(`/views/${theirs.view_id}`)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Watch', 'Save as …', 'End its sharing'])
    clock.move({ minutes: 11 })
    await page.getByRole('menuitem', { name: 'End its sharing' }).click()
    const proof = page.getByRole('dialog', { name: 'Is it you?' })
    await proof.getByLabel('Password').fill('correct horse')
    await proof.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('Theirs is shared no more').first().waitFor()
    await page.waitForURL(/\/views$/)
    await expect.poll(() => page.getByRole('link', { name: 'Theirs' }).count()).toBe(0)
    await axe()
    // Ordered and grouped by fields that have another name by now: it is shown without, and says so.
    const old = await client.ok('POST', '/api/views', {
      name: 'By what was',
      filter: { has_tag: task },
      settings: {
        sort_by: `${task}.was_due:desc,Task.assignee->Person.was_lead,name`,
        group_by: 'Task.was_status',
      },
    })
    await page.goto(`/views/${old.view_id}`)
    await page
      .getByText(/is no field any more: was_due, was_lead, was_status/)
      .first()
      .waitFor()
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    await client.ok('DELETE', `/api/views/${old.view_id}`)
    // The same of an address.
    await page.goto(`/tags/${task}?s=Task.was_due&g=Task.was_status`)
    await page
      .getByText(/is no field any more: was_due, was_status/)
      .first()
      .waitFor()
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    // What an agent made says nothing of columns: those of the tag it is about are shown, and its name is cut.
    const name = 'A view with a name that is as long as names of views ever get in practice'
    const made = await client.ok('POST', '/api/views', {
      name,
      filter: { or: [{ 'Task.status': 'open' }, { and: [{ 'Task.effort': { gt: 1 } }, { search: 'w' }] }] },
    })
    await page.setViewportSize({ width: 820, height: 860 })
    await page.goto(`/views/${made.view_id}`)
    await page.getByRole('columnheader', { name: 'effort' }).waitFor()
    const heading = page.getByRole('heading', { level: 1 })
    expect(await heading.getAttribute('title')).toBe(name)
    const [, y] = await middle(heading)
    const [right, at] = await middle(page.getByRole('button', { name: 'New item' }))
    expect([Math.abs(at - y) < 4, right < 820]).toEqual([true, true])
    await picture(page, 'view-long', { widths: ['wide', 'tablet', 'phone'] })
    const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
    expect((await place.boundingBox())!.width).toBeLessThan(232)
  }
  flow('are shared; only their owner changes them', shares, { clock: clock.now })

  flow('say what of them is gone with a tag, and ask nothing on leaving', async ({ page, signIn }) => {
    const client = await signIn()
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Chore', fields: { kind: 'String' } })
    await client.ok('POST', '/api/items', { name: 'Sweep' })
    const settings = { group_by: `${tag_id}.kind`, sort_by: 'Chore.kind' }
    const make = (name: string, filter: object) => client.ok('POST', '/api/views', { name, filter, settings })
    const [every, some] = [
      await make('Every', { search: '' }),
      await make('Some', { and: [{ has_tag: tag_id }, { [`${tag_id}.kind`]: 'x' }] }),
    ]
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    await page.goto(`/views/${every.view_id}`)
    await page.getByRole('row', { name: /Sweep/ }).waitFor()
    await page
      .getByText(/is no field any more: Chore.kind, kind/)
      .first()
      .waitFor()
    let asked = 0
    page.on('dialog', (dialog) => {
      asked++
      void dialog.accept()
    })
    await page.goto(`/views/${some.view_id}`)
    await page.getByText('has the deleted tag “Chore”').waitFor()
    await page.getByText('kind of the deleted tag “Chore”').waitFor()
    await page.getByRole('heading', { name: 'This could not be read' }).waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text.match(/It asks for the deleted tag “Chore”/g)).toHaveLength(3)
    expect(text).not.toContain(tag_id)
    // The browser asks nothing of a page that nobody has touched.
    await page.getByRole('heading', { level: 1 }).click()
    await page.reload()
    await page.getByText('has the deleted tag “Chore”').waitFor()
    expect(asked).toBe(0)
  })

  flow('stand in the order that one gives them', async ({ page, signIn, axe }) => {
    const client = await signIn()
    await client.ok('POST', '/api/tags', { name: 'Task', fields: {} })
    for (const name of ['One', 'Two', 'Three'])
      await client.ok('POST', '/api/views', { name, filter: { search: '' } })
    const stored = async () =>
      (await client.ok('GET', '/api/views?sort=position')).map(({ name }: { name: string }) => name)
    await page.goto('/')
    const lines = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^(?:One|Two|Three)$/ })
    await lines.nth(2).waitFor()
    const [, , last = ''] = await lines.allInnerTexts()
    // Another program changes their filters meanwhile: their order takes nothing back.
    for (const { view_id, name, icon } of await client.ok('GET', '/api/views'))
      await client.ok('PUT', `/api/views/${view_id}`, { name, icon, filter: { search: 'roof' } })
    await lines.nth(2).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(async () => (await stored())[0]).toBe(last)
    // And by the grip, to the end again.
    const grip = page.getByTitle('Drag, or Alt ↑ and Alt ↓')
    await lines.first().hover()
    await page.mouse.move(...(await middle(grip.first())))
    await page.mouse.down()
    const [x, y] = await middle(lines.nth(2))
    await page.mouse.move(x, y, { steps: 6 })
    await page.mouse.move(x, y + 8)
    await page.mouse.up()
    await expect.poll(async () => (await stored()).at(-1)).toBe(last)
    for (const { filter } of await client.ok('GET', '/api/views')) expect(filter).toEqual({ search: 'roof' })
    await axe()
  })

  flow('are saved, changed, reset, renamed, copied and deleted', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 24)
    const filter = encodeURIComponent(JSON.stringify({ 'Task.status': { match: 'open' } }))
    await page.goto(`/tags/${task}?f=${filter}&s=Task.effort:desc`)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Open tasks')
    await picture(page, 'view-save', { widths: ['wide', 'phone'] })
    await axe()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/views\/\w+$/)
    const path = new URL(page.url()).pathname
    await page.getByRole('heading', { level: 1, name: 'Open tasks' }).waitFor()
    await page.getByRole('link', { name: 'Open tasks' }).waitFor()
    const [view] = await client.ok('GET', '/api/views')
    expect(view.filter).toEqual({
      and: [{ has_tag: task }, { [`${task}.status`]: { match: 'open' } }],
    })
    expect(view.settings).toEqual({ sort_by: 'Task.effort:desc' })
    await page.getByRole('row').nth(6).waitFor()
    await expect.poll(() => page.getByText('Not saved').count()).toBe(0)

    // Another filter: not saved until it is saved.
    await page.getByRole('button', { name: 'status is "open"' }).click()
    await choose(page.getByLabel('Value'), 'done')
    await page.keyboard.press('Escape')
    await page.getByRole('img', { name: 'Not saved' }).waitFor()
    await picture(page, 'view-changed')
    await axe()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'status is "open"' }).click()
    await choose(page.getByLabel('Value'), 'done')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save Not saved' }).click()
    await page.getByText('Saved Open tasks').first().waitFor()
    expect((await client.ok('GET', `/api/views/${view.view_id}`)).filter.and[1]).toEqual({
      [`${task}.status`]: { eq: 'done' },
    })
    await expect.poll(() => new URL(page.url()).search).toBe('')

    await page.getByRole('button', { name: 'View', exact: true }).click()
    await axe()
    await page.getByRole('menuitem', { name: 'Rename …' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Done tasks')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Done tasks' }).waitFor()
    const { filter: kept } = await client.ok('GET', `/api/views/${view.view_id}`)
    await client.ok('PUT', `/api/views/${view.view_id}`, { name: 'Done tasks', icon: '🎯', filter: kept })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Done tasks' }).waitFor()
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as …' }).click()
    await page.getByLabel('Name', { exact: true }).fill('A copy')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'A copy' }).waitFor()
    const icons = (await client.ok('GET', '/api/views')).map(({ icon }: { icon: string }) => icon)
    expect(icons).toEqual(['🎯', '🎯'])
    expect(new URL(page.url()).pathname).not.toBe(path)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete view …' }).click()
    await picture(page, 'view-delete', { widths: ['wide'] })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL('**/items')
    await expect.poll(async () => (await client.ok('GET', '/api/views')).length).toBe(1)
  })
})
