import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { cellAt } from '#test/web/support/cell.ts'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { focused } from '#test/web/support/type-into.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

/** Holds the part of the application that has these words. */
async function holdPart(page: Page, words: string): Promise<{ asked: Promise<void>; send: () => void }> {
  const { promise: held, resolve: send } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes(words)) {
      ask()
      await held
    }
    await route.fulfill({ response })
  })
  return { asked, send }
}

describe('a value that is still being saved', () => {
  flow('is the one that is filled, copied, compared and toggled', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 4)
    const values = async (i: number) =>
      (await client.ok('GET', `/api/items/${ids[i]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at`)
    const { keyboard } = page
    await (await cellAt(page, 0, 'effort')).click()
    const held = await hold(page, 'PUT', `**/api/items/*/tags/${task}`)
    await keyboard.type('99')
    await keyboard.press('Enter')
    await held.asked
    await keyboard.press('Control+d')
    await (await cellAt(page, 1, 'effort')).getByText('99').waitFor()
    // Nothing is a value as well: it is shown, and copied.
    await (await cellAt(page, 2, 'effort')).click()
    await keyboard.press('Delete')
    await expect.poll(async () => (await cellAt(page, 2, 'effort')).innerText()).toBe('')
    await keyboard.press('Control+c')
    await (await cellAt(page, 3, 'effort')).click()
    await keyboard.press('Control+v')
    await expect.poll(async () => (await cellAt(page, 3, 'effort')).innerText()).toBe('')
    // Yes, no, none: three times is once around.
    const urgent = await cellAt(page, 1, 'urgent')
    await urgent.click()
    const before = (await values(1)).urgent
    expect(before).toBe(true)
    for (let i = 0; i < 2; i++) await keyboard.press('Space')
    held.send()
    await expect.poll(async () => (await values(1)).effort).toBe(99)
    await expect.poll(async () => (await values(1)).urgent ?? null).toBeNull()
    await expect.poll(async () => (await values(3)).effort ?? null).toBeNull()
  })

  flow(
    'is refused for all where many are asked too often, and not sent one by one',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 6)
      await page.goto(`/tags/${task}?s=created_at`)
      let single = 0
      await page.route('**/api/batch', (route) =>
        route.fulfill({
          status: 429,
          json: { error: 'TooManyRequests', message: 'Too many requests' },
        }),
      )
      page.on('request', (request) => {
        if (request.method() === 'PUT') single++
      })
      await (await cellAt(page, 0, 'note')).click()
      for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d'])
        await page.keyboard.press(key)
      await page.getByText('3 of 3 items refused it: Too many requests').first().waitFor()
      expect(single).toBe(0)
    },
  )

  flow('is chosen by Tab, which goes on, and what is listed is what was sought', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, people, ids } = await makeTasks(client, 2)
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at`)
    const { keyboard } = page
    await (await cellAt(page, 0, 'status')).click()
    await keyboard.type('don')
    await page.getByRole('option', { name: 'done' }).waitFor()
    await keyboard.press('Tab')
    await focused(await cellAt(page, 0, 'finished_on'))
    await expect.poll(async () => (await values()).status).toEqual({ variant: 'done' })
    // Enter twice changes nothing: what is highlighted there is what is chosen.
    await (await cellAt(page, 0, 'assignee')).click()
    const before = (await values()).assignee
    await keyboard.press('Enter')
    await page.getByRole('listbox').waitFor()
    await keyboard.press('Enter')
    await focused(await cellAt(page, 1, 'assignee'))
    expect((await values()).assignee).toBe(before)
    // It is no link, and looks like none: one click selects it.
    const reference = (await cellAt(page, 0, 'assignee')).getByText('Ada')
    await reference.click()
    expect(await reference.evaluate((text) => getComputedStyle(text).textDecorationLine)).toBe('none')
    expect(page.url()).toContain(task)
    // Typed and taken before the answer comes.
    await (await cellAt(page, 0, 'assignee')).click()
    const held = await hold(page, 'POST', '**/api/items/search')
    await keyboard.type('Lin')
    await keyboard.press('Tab')
    await held.asked
    held.send()
    await expect.poll(async () => (await values()).assignee).toBe(people[2])
  })

  flow(
    'waits for what is sought, and what is typed meanwhile is the next one’s',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, people, ids } = await makeTasks(client, 2)
      const assignees = async () =>
        await Promise.all(
          ids.map(
            async (id) => (await client.ok('GET', `/api/items/${id}`)).data[task].field_values.assignee,
          ),
        )
      const [, second] = await assignees()
      await page.goto('/tags')
      await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
      await page.evaluate((to) => history.pushState(null, '', to), `/tags/${task}?s=created_at`)
      const { keyboard } = page
      await (await cellAt(page, 0, 'assignee')).click()
      const held = await hold(page, 'POST', '**/api/items/search')
      await keyboard.type('Lin')
      await page.getByRole('combobox', { name: 'assignee of Water the plants 1' }).waitFor()
      await keyboard.press('Enter')
      await keyboard.type('Nobody at all')
      await held.asked
      held.send()
      const box = page.getByRole('combobox', { name: 'assignee of Mend the roof 2' })
      await expect.poll(() => box.inputValue()).toBe('Nobody at all')
      await expect.poll(assignees).toEqual([people[2], second])
      // What is not there is said, and stays to be mended.
      await page.getByRole('option', { name: 'Create “Nobody at all”' }).waitFor()
      await keyboard.press('Escape')
      await focused(await cellAt(page, 1, 'assignee'))
      await keyboard.press('z')
      await expect.poll(() => box.inputValue()).toBe('z')
      // Whoever leaves while it is sought is heard where they went.
      await keyboard.press('Escape')
      const again = await hold(page, 'POST', '**/api/items/search')
      await keyboard.type('Ad')
      await box.waitFor()
      await keyboard.press('Enter')
      await again.asked
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
      await keyboard.press('Control+k')
      await keyboard.type('abc')
      await expect.poll(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('abc')
      again.send()
    },
  )

  flow('is edited where its cell is, also when the table is scrolled', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 200)
    await page.goto(`/tags/${task}?s=created_at`)
    const note = await cellAt(page, 4, 'note')
    await note.click()
    await page.keyboard.type('Kept')
    const editor = page.getByRole('textbox', { name: /^note of/ })
    await focused(editor)
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 72)
    const distance = async () => Math.abs((await editor.boundingBox())!.y - (await note.boundingBox())!.y)
    await expect.poll(distance).toBeLessThan(4)
    // Farther than its row: it stays at the edge, with what was typed.
    await page.mouse.wheel(0, 4000)
    await page.getByText(/ 120$/).waitFor()
    await page.keyboard.type(' here')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${ids[4]}`)).data[task].field_values.note)
      .toBe('Kept here')
  })

  flow('waits for an item that is made, and for more than five seconds', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids, people } = await makeTasks(client, 3)
    const assignees = async () =>
      await Promise.all(
        ids.map(async (id) => (await client.ok('GET', `/api/items/${id}`)).data[task].field_values.assignee),
      )
    await page.goto(`/tags/${task}?s=created_at`)
    const { keyboard } = page
    const box = (name: string) => page.getByRole('combobox', { name: `assignee of ${name}` })
    await (await cellAt(page, 0, 'assignee')).click()
    await keyboard.type('Zora')
    await page.getByRole('option', { name: 'Create “Zora”' }).waitFor()
    const making = await hold(page, 'POST', '**/api/items')
    await keyboard.press('Enter')
    await making.asked
    await keyboard.type('Nobody')
    making.send()
    await expect.poll(() => box('Mend the roof 2').inputValue()).toBe('Nobody')
    const nameOfFirst = async () => (await client.ok('GET', `/api/items/${(await assignees())[0]}`)).name
    await expect.poll(nameOfFirst).toBe('Zora')
    await keyboard.press('Escape')
    await focused(await cellAt(page, 1, 'assignee'))
    const seeking = await hold(page, 'POST', '**/api/items/search')
    await keyboard.type('Lin')
    await box('Mend the roof 2').waitFor()
    await keyboard.press('Enter')
    await seeking.asked
    await keyboard.type('Some')
    await page.waitForTimeout(5500)
    await keyboard.type('body')
    seeking.send()
    await expect.poll(() => box('Write to Grace 3').inputValue()).toBe('Somebody')
    await expect.poll(async () => (await assignees())[1]).toBe(people[2])
  })

  flow('is taken where its editor was still to be loaded', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    const values = async (i: number) =>
      (await client.ok('GET', `/api/items/${ids[i]}`)).data[task].field_values
    const { keyboard } = page
    for (const [words, label, typed, [first, second]] of [
      ['Nothing fits: choose one', 'status', ['doi', 'don'], [{ variant: 'doing' }, { variant: 'done' }]],
      ['It may be several days', 'due', ['2026-05-17', '2026-05-18'], ['2026-05-17', '2026-05-18']],
    ] as const) {
      const held = await holdPart(page, words)
      await page.goto(`/tags/${task}?s=created_at`)
      await (await cellAt(page, 0, label)).click()
      await keyboard.type(typed[0])
      await held.asked
      await keyboard.press('Enter')
      await keyboard.type(typed[1])
      expect(await page.locator('input:focus').count()).toBe(0)
      held.send()
      await expect.poll(async () => (await values(0))[label]).toEqual(first)
      await focused(page.locator('input:focus'))
      await keyboard.press('Enter')
      await expect.poll(async () => (await values(1))[label]).toEqual(second)
      await page.unrouteAll({ behavior: 'ignoreErrors' }) // parts that are loaded beforehand may be under way
    }
  })

  flow(
    'stays where another layout or other groups are shown in place of a table',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 3)
      await page.goto(`/tags/${task}?s=created_at`)
      const due = await cellAt(page, 0, 'due')
      await due.click()
      await page.keyboard.type('soon')
      await focused(page.getByRole('combobox', { name: /^due of/ }))
      await (await cellAt(page, 1, 'note')).click()
      await due.getByText('soon').waitFor()
      const layout = page.getByRole('group', { name: 'Layout' })
      await layout.getByRole('button', { name: 'Board' }).click()
      await page.locator('[data-layout=board]').waitFor()
      // It is still not saved.
      const asked = page.waitForEvent('dialog').then(async (dialog) => dialog.dismiss())
      await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
      await asked
      await layout.getByRole('button', { name: 'Table' }).click()
      await due.getByText('soon').waitFor()
    },
  )

  flow(
    'is only what was typed: what others write while an editor is open stays',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 1)
      const [id] = ids
      const item = () => client.ok('GET', `/api/items/${id}`)
      await page.goto(`/items/${id}`)
      await page.getByRole('button', { name: /^note/ }).click()
      await focused(page.getByRole('textbox', { name: /^note of/ }))
      await client.ok('PUT', `/api/items/${id}/tags/${task}`, {
        field_values: { note: 'Theirs' },
        merge: true,
      })
      await page.getByRole('button', { name: 'note Theirs' }).waitFor()
      await page.keyboard.press('Tab')
      await page.getByRole('textbox', { name: /^note of/ }).waitFor({ state: 'detached' })
      await page.getByRole('heading', { level: 1 }).getByRole('button').click()
      await focused(page.getByRole('textbox', { name: /^Name of/ }))
      await client.ok('PUT', `/api/items/${id}`, { name: 'Their name' })
      await page.getByRole('textbox', { name: 'Name of Their name' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Their name' }).waitFor()
      // Everything that was written has its answer by then.
      await page.getByRole('heading', { level: 1 }).getByRole('button').click()
      await page.keyboard.press('End')
      await page.keyboard.type(' and mine')
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await item()).name).toBe('Their name and mine')
      expect((await item()).data[task].field_values.note).toBe('Theirs')
    },
  )

  flow('stays where another item is opened beside the table', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 2)
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=created_at&item=${ids[0]}`)
    const beside = page.getByRole('article')
    await beside.getByRole('button', { name: /^due/ }).click()
    const box = page.getByRole('combobox', { name: 'due of Water the plants 1' })
    await focused(box)
    await page.keyboard.type('soon')
    await (await cellAt(page, 0, 'note')).click()
    await beside
      .getByRole('alert')
      .getByText(/Not a date/)
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await beside.getByRole('heading', { name: 'Mend the roof 2' }).waitFor()
    await page.getByText('Water the plants 1: what you typed is not saved.').first().waitFor()
    await page.keyboard.press('ArrowUp')
    await beside
      .getByRole('alert')
      .getByText(/Not a date/)
      .waitFor()
    await beside.getByRole('button', { name: /^due soon/ }).click()
    await focused(box)
    await box.fill('2027-03-12')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await values()).due).toBe('2027-03-12')
  })

  flow(
    'stays where it is opened and left meanwhile, and a name where the old one is given back',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 2)
      const item = () => client.ok('GET', `/api/items/${ids[0]}`)
      const unsent = () =>
        page.evaluate(() =>
          Object.entries(localStorage)
            .filter(([key]) => key.startsWith('facet.unsent.'))
            .map(([, value]) => String(value))
            .join(),
        )
      await page.goto(`/tags/${task}?s=created_at`)
      const { keyboard } = page
      const effort = await cellAt(page, 0, 'effort')
      await effort.click()
      const held = await hold(page, 'PUT', `**/api/items/*/tags/${task}`)
      await keyboard.type('99')
      await keyboard.press('Enter')
      await held.asked
      for (const key of ['Escape', 'Tab']) {
        await effort.click()
        await keyboard.press('F2')
        await focused(page.getByLabel('effort of Water the plants 1'))
        await keyboard.press(key)
        await focused(await cellAt(page, 0, key === 'Tab' ? 'urgent' : 'effort'))
        expect([await effort.innerText(), await unsent()]).toEqual(['99', expect.stringContaining('99')])
      }
      held.send()
      await expect.poll(async () => (await item()).data[task].field_values.effort).toBe(99)

      await page.goto(`/items/${ids[0]}`)
      const renames = await hold(page, 'PUT', `**/api/items/${ids[0]}`)
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'PUT') sent.push((request.postDataJSON() as { name: string }).name)
      })
      const rename = async (name: string) => {
        await page.getByRole('heading', { level: 1 }).getByRole('button').click()
        const box = page.getByRole('textbox', { name: /^Name of/ })
        await focused(box)
        await box.fill(name)
        await keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      await rename('Water the roses')
      await renames.asked
      await rename('Water the roses')
      await rename('Water the plants 1')
      renames.send()
      await expect.poll(() => sent.at(-1)).toBe('Water the plants 1')
      await expect.poll(async () => (await item()).name).toBe('Water the plants 1')
      // One that the item has changed under meanwhile is sent once more.
      expect(sent.filter((name) => name === 'Water the roses')).toHaveLength(1)
      expect(new Set(sent)).toEqual(new Set(['Water the roses', 'Water the plants 1']))
    },
  )

  flow(
    'stays where it is only opened and left, also when others come before it',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, person, people, ids } = await makeTasks(client, 2)
      const assignee = async () =>
        (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.assignee
      await page.goto(`/tags/${task}?s=created_at`)
      const { keyboard } = page
      const cell = await cellAt(page, 0, 'assignee')
      const option = (name: string) => page.getByRole('option', { name })
      const open = async () => {
        await cell.click()
        await keyboard.press('F2')
        await focused(page.getByRole('combobox', { name: 'assignee of Water the plants 1' }))
      }
      await open()
      await option('Grace').waitFor()
      await keyboard.press('Escape')
      // What was listed is shown for five seconds without asking again.
      await page.waitForTimeout(5500)
      const held = await hold(page, 'POST', '**/api/items/search')
      await open()
      await held.asked
      await client.ok('POST', '/api/items', {
        name: 'Aaron',
        tags: [{ tag_ref: { Existing: person } }],
      })
      held.send()
      await option('Aaron').waitFor()
      await keyboard.press('Tab')
      await focused(await cellAt(page, 0, 'watchers'))
      // What is written next is written after it.
      await (await cellAt(page, 0, 'effort')).click()
      await keyboard.type('99')
      await keyboard.press('Enter')
      await expect
        .poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.effort)
        .toBe(99)
      expect(await assignee()).toBe(people[0])
    },
  )
})
