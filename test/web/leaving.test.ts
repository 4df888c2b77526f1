import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { cellAt } from '#test/web/support/cell.ts'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { picture } from '#test/web/support/pictures.ts'
import { focused, typeInto } from '#test/web/support/type-into.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

let provider: ModelProvider
const env = { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: '' }
beforeAll(async () => {
  provider = await startModelProvider()
  env.LLM_BASE_URL = provider.url
})
afterAll(() => provider.close())

/** The browser's questions; each is answered so, and kept once it is: what comes next would meet it else. */
function answer(page: Page, stay: boolean): string[] {
  const asked: string[] = []
  page.removeAllListeners('dialog')
  page.on('dialog', (dialog) => {
    void (stay ? dialog.dismiss() : dialog.accept()).then(() => asked.push(dialog.type()))
  })
  return asked
}

/** Closing and loading again: a page that holds something asks, and stays. */
async function asksToClose(page: Page): Promise<void> {
  const asked = answer(page, true)
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual(['beforeunload'])
  expect(page.isClosed()).toBe(false)
}

/** By a link and by Back within the application. */
async function asksToGo(page: Page): Promise<void> {
  const asked = answer(page, true)
  const before = page.url()
  await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
  await expect.poll(() => asked).toEqual(['confirm'])
  await page.evaluate(() => history.back())
  await expect.poll(() => asked).toEqual(['confirm', 'confirm'])
  await expect.poll(() => page.url()).toBe(before)
}

async function asksToSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('region', { name: 'Messages' }).getByText('Still signed in').waitFor()
}

describe('leaving', () => {
  flow('saves an open editor, and asks where it cannot', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 2)
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    await page.goto('/trash')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate((to) => history.pushState(null, '', to), `/tags/${task}?s=created_at`)
    await (await cellAt(page, 0, 'note')).click()
    await page.keyboard.type('Typed')
    await focused(page.getByRole('textbox', { name: /^note of/ }))
    await asksToClose(page)
    await page.evaluate(() => history.back())
    await page.waitForURL('/trash')
    await expect.poll(async () => (await values()).note).toBe('Typed')
    // What cannot be stored is not lost without a word.
    await page.evaluate(() => history.forward())
    await (await cellAt(page, 0, 'due')).click()
    await page.keyboard.type('soon')
    await focused(page.getByRole('combobox', { name: /^due of/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Not a date').waitFor()
    await asksToGo(page)
    await asksToClose(page)
    await asksToSignOut(page)
  })

  flow(
    'keeps what could not be sent, for this account alone, and sends it when it can',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 3)
      const values = async (i: number) =>
        (await client.ok('GET', `/api/items/${ids[i]}`)).data[task].field_values
      await page.goto(`/tags/${task}?s=created_at`)
      await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
      // Until the next page is there: the one before could send it else, before it goes.
      let isAway = true
      page.on('framenavigated', () => (isAway = false))
      await page.route('**/api/**', (route) => (isAway ? route.abort() : route.fallback()))
      for (const [row, value] of [
        [0, '41'],
        [1, '42'],
        [2, '43'],
      ] as const) {
        await (await cellAt(page, row, 'effort')).click()
        await page.keyboard.type(value)
        await page.keyboard.press('Enter')
      }
      await page.getByRole('alert').getByText('(3 wait)').waitFor()
      await picture(page, 'service-gone', { widths: ['wide'] })
      await asksToSignOut(page)
      // Somebody changes one of them meanwhile, and the answer to another was lost alone.
      await client.ok('PUT', `/api/items/${ids[1]}`, { name: 'Theirs' })
      await client.ok('PUT', `/api/items/${ids[2]}/tags/${task}`, {
        field_values: { effort: 43 },
        merge: true,
      })
      await page.reload()
      await expect.poll(async () => (await values(0)).effort).toBe(41)
      const dialog = page.getByRole('dialog', { name: 'Not sent yet' })
      await dialog.getByText('effort: 42').waitFor()
      expect(await dialog.getByRole('listitem').count()).toBe(1)
      await picture(page, 'not-sent', { widths: ['wide', 'phone'] })
      await axe()
      expect((await values(1)).effort).not.toBe(42)
      // It waits for an answer also over another reload, and is nobody else's.
      await page.reload()
      await dialog.waitFor()
      const mine = await page.context().cookies()
      await page.context().clearCookies()
      await signIn()
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(500)
      expect(await dialog.count()).toBe(0)
      await page.context().clearCookies()
      await page.context().addCookies(mine)
      await page.reload()
      await dialog.getByRole('button', { name: 'Send all the same' }).click()
      await expect.poll(async () => (await values(1)).effort).toBe(42)
      await expect
        .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => /unsent/.test(key))))
        .toEqual([])
    },
    { expected: [400, 401, 403, 404, 409, 412, 429, 'net::ERR_FAILED'] },
  )

  flow('keeps a description that cannot be saved, and offers it again', async ({ page, signIn }) => {
    const client = await signIn()
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Mend the roof', description: 'Begun' })
    await page.goto(`/items/${item_id}`)
    await page.getByRole('button', { name: 'Edit description' }).waitFor()
    await page.keyboard.press('e')
    const box = page.getByRole('textbox', { name: 'Description', exact: true })
    await typeInto(box, 'Mine ')
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${item_id}`)).description)
      .toMatch(/Mine/)
    // A value that changes in between is nobody's text.
    await client.ok('PUT', `/api/items/${item_id}`, { name: 'Mend the roofs' })
    await page.keyboard.type('too ')
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${item_id}`)).description)
      .toMatch(/too/)
    await client.ok('PUT', `/api/items/${item_id}`, { description: 'Theirs' })
    await page.keyboard.type('lost? ')
    await page.getByText('Somebody has changed the description meanwhile.').waitFor()
    await asksToClose(page)
    await asksToSignOut(page)
    await page.getByRole('navigation').getByRole('link', { name: 'Items', exact: true }).click()
    await page.waitForURL('/items')
    await page.getByRole('region', { name: 'Messages' }).getByText('Its text is still here').waitFor()
    await asksToClose(page)
    await page
      .getByRole('row', { name: /Mend the roofs/ })
      .getByRole('button', { name: /^Open/ })
      .click()
    const beside = page.getByRole('complementary', { name: 'Item' })
    await beside.getByText('lost?').first().waitFor()
    await beside.getByText('Somebody has changed the description meanwhile.').waitFor()
    await beside.getByRole('button', { name: 'Replace it by mine' }).click()
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${item_id}`)).description)
      .toMatch(/lost\?/)
    await beside.getByRole('button', { name: 'Done' }).click()
    const asked = answer(page, true)
    await page.reload()
    expect(asked).toEqual([])
  })

  flow(
    'asks for a tag, a filter and a message that are not whole yet, and ends a running answer',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 2)
      await page.goto('/tags')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.evaluate((to) => history.pushState(null, '', to), `/tags/${task}/schema`)
      await page.getByLabel('What it is for').fill('What is to be done')
      await asksToGo(page)
      await asksToClose(page)
      await asksToSignOut(page)
      answer(page, false)
      await page.goto(`/tags/${task}?f=${encodeURIComponent('{"Task.status":"open"}')}`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'JSON' }).click()
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('{"Task.nothing": 1')
      await page
        .getByText(/no field|Nothing|nothing/)
        .first()
        .waitFor()
      await asksToClose(page)
      answer(page, false)
      await page.goto('/chat')
      const input = page.getByLabel('Message to the assistant')
      await typeInto(input, 'Half a quest')
      await asksToClose(page)
      // Within the application it goes along.
      const asked = answer(page, true)
      await page.getByRole('navigation').getByRole('link', { name: 'Items', exact: true }).first().click()
      await page.waitForURL('/items')
      await page.goBack()
      await expect.poll(() => input.inputValue()).toBe('Half a quest')
      expect(asked).toEqual([])
      provider.say({ text: Array.from({ length: 2000 }, (_, i) => `word${i} `), pause: 50 })
      await input.press('Enter')
      await page.getByText('word2').waitFor()
      await asksToClose(page)
      await page.getByText('word3').waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.waitForURL(/\/chat\/\w{26}/)
      await page.getByRole('button', { name: 'Send' }).waitFor()
    },
    { env },
  )

  flow('asks for what is being made: an item, a card, a template, a field', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 2)
    const answered = () => answer(page, false)
    await page.goto('/trash')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate((to) => history.pushState(null, '', to), `/tags/${task}?s=created_at`)
    await page.getByRole('button', { name: 'New item' }).click()
    await typeInto(page.getByRole('textbox', { name: 'Name of the new item' }), 'Half a na')
    await asksToGo(page)
    await asksToClose(page)
    await asksToSignOut(page)
    // A value that is a number is saved by whatever way one goes.
    answered()
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellAt(page, 0, 'effort')).click()
    await page.keyboard.type('7')
    await focused(page.getByRole('textbox', { name: /^effort of/ }))
    await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
    await page.waitForURL('/trash')
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.effort)
      .toBe(7)
    for (const layout of ['board', 'calendar&by=starts_at&week=1&on=2026-03-10']) {
      answered()
      await page.goto(`/tags/${task}?l=${layout.replace('by=', `by=${task}.`)}`)
      if (layout === 'board') await page.getByRole('button', { name: 'New item in open' }).click()
      else {
        const hour = page.getByRole('gridcell').nth(40)
        await hour.scrollIntoViewIfNeeded()
        await hour.dblclick()
      }
      await typeInto(page.getByPlaceholder('Name, Enter'), 'Half')
      await asksToClose(page)
      await asksToSignOut(page)
    }
    answered()
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as a template…' }).click()
    await page.getByLabel('Name of the template').fill('Another')
    await asksToClose(page)
    answered()
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ left: 10_000 }))
    await page.getByRole('button', { name: 'Add a column' }).click()
    await page.getByRole('menuitem', { name: 'New field…' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('rest')
    await asksToClose(page)
    answered()
    await page.goto('/new?title=Ladder')
    await page.getByRole('button', { name: 'Make the item' }).waitFor()
    await asksToClose(page)
    const asked = answer(page, true)
    await page.getByRole('button', { name: 'Make the item' }).click()
    await page.waitForURL(/\/items\//)
    expect(asked).toEqual([])
  })

  flow('asks for settings and dialogs that somebody has typed into', async ({ page, signIn }) => {
    await signIn()
    const forms: readonly [path: string, label: string, text: string, open?: string][] = [
      ['/settings/account', 'Name', 'Grace Hopper'],
      ['/settings/agents', 'What it is for', 'Nightly report'],
      ['/settings/members', 'E-mail (may be left empty)', 'ada@example.org'],
      ['/settings/webhooks', 'Address', 'https://hooks.example.org/facet', 'New webhook'],
      ['/items?q=roof', 'Name', 'Roofs', 'Save view'],
    ]
    for (const [path, label, text, button] of forms) {
      answer(page, false)
      await page.goto('/trash')
      await page.evaluate((to) => history.pushState(null, '', to), path)
      if (button) await page.getByRole('button', { name: button }).first().click()
      const box = page.getByRole('textbox', { name: label, exact: true })
      await box.fill(text)
      const asked = answer(page, true)
      await page.evaluate(() => history.back())
      await expect.poll(() => asked, { message: path }).toEqual(['confirm'])
      await asksToClose(page)
      // A slip outside of it loses nothing.
      if (button) await page.mouse.click(20, 780)
      expect(await box.inputValue()).toBe(text)
    }
    // Saved it is not asked any more.
    answer(page, true)
    await page.getByRole('textbox', { name: 'Name', exact: true }).press('Enter')
    await page.waitForURL(/\/views\//)
    const asked = answer(page, true)
    await page.reload()
    expect(asked).toEqual([])
  })

  flow('asks for what is chosen, as for what is typed', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    const dialog = page.getByRole('dialog')
    const open = async (path: string) => {
      answer(page, false)
      await page.goto('/trash')
      await page.evaluate((to) => history.pushState(null, '', to), path)
    }
    await open('/settings/agents')
    await choose(page.getByLabel('It sees'), 'a part …')
    await choose(page.getByLabel('Items with one of these tags'), 'Task')
    await asksToGo(page)
    // A number that is none yet.
    await open(`/tags/${task}`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await typeInto(page.getByRole('combobox', { name: 'Field', exact: true }), 'effort')
    await page.keyboard.press('Enter')
    await typeInto(dialog.getByRole('textbox', { name: 'Value' }), 'about')
    await asksToGo(page)
    await page.getByRole('button', { name: 'Leave it out' }).click()
    // A slip outside of a dialog loses nothing that is chosen in it.
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ left: 10_000 }))
    await page.getByRole('button', { name: 'Column note' }).click()
    await page.getByRole('menuitem', { name: 'Name and type…' }).click()
    await choose(dialog.getByLabel('Type', { exact: true }), 'Number')
    await page.mouse.click(20, 780)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('[data-check="0"]').click()
    await page.getByRole('button', { name: 'Add tag' }).click()
    await choose(dialog.getByLabel('Tag', { exact: true }), 'Person')
    await page.mouse.click(20, 780)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await open('/settings/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await dialog.getByRole('checkbox').first().check()
    await page.mouse.click(20, 780)
    const asked = answer(page, true)
    await page.evaluate(() => history.back())
    await expect.poll(() => asked).toEqual(['confirm'])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  flow(
    'keeps rows that are to be imported, within the application and against closing',
    async ({ page, signIn }) => {
      await signIn()
      await page.goto('/import')
      const rows = page.getByLabel('or paste rows from a spreadsheet')
      await rows.fill('name,amount\nOne,1\nTwo,2')
      await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
      await page.waitForURL('/trash')
      await asksToClose(page)
      await asksToSignOut(page)
      await page.evaluate(() => history.back())
      await expect.poll(() => rows.inputValue()).toContain('Two,2')
      // What becomes of its columns as well, until the service has it.
      await page.getByRole('button', { name: 'Look at these rows' }).click()
      await choose(page.getByLabel('Where amount goes'), 'Leave out')
      await asksToClose(page)
      await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
      await page.waitForURL('/trash')
      await asksToClose(page)
    },
  )

  flow('leaves nothing of one account for the next on the same page', async ({ page, signIn, service }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 2)
    const effort = async (asked: Client) =>
      (await asked.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.effort
    await page.goto(`/tags/${task}?s=created_at`)
    await (await cellAt(page, 0, 'effort')).click()
    await page.keyboard.type('77')
    await page.keyboard.press('Enter')
    await expect.poll(() => effort(client)).toBe(77)
    await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
    await page.evaluate(() => history.pushState(null, '', '/import'))
    const rows = page.getByLabel('or paste rows from a spreadsheet')
    await rows.fill('name,amount\nOne,1')
    await page.evaluate((to) => history.pushState(null, '', to), `/tags/${task}/schema`)
    await page.getByLabel('What it is for').fill('What is to be done')
    await asksToSignOut(page)
    const grace = await service.user('grace@example.org', 'correct horse')
    // It is said once: the browser does not ask again.
    const again = answer(page, true)
    await page.getByRole('button', { name: 'Sign out all the same' }).click()
    await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
    expect(again).toEqual([])
    await page.getByLabel('E-mail').fill('grace@example.org')
    await page.getByLabel('Password').fill('correct horse')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    expect(await page.getByRole('region', { name: 'Messages' }).textContent()).toBe('')
    await page.keyboard.press('Control+z')
    await page.getByRole('status').getByText('Nothing to be undone').waitFor()
    expect(await effort(grace)).toBe(77)
    await page.evaluate(() => history.pushState(null, '', '/import'))
    await expect.poll(() => rows.inputValue()).toBe('')
    const asked = answer(page, true)
    await page.reload()
    expect(asked).toEqual([])
  })

  flow('sends and shows nothing of a page as the account of another tab', async (given) => {
    const { page, signIn, service, axe } = given
    const client = await signIn()
    const { email } = await client.ok('GET', '/api/auth/me')
    const { task, ids } = await makeTasks(client, 2)
    const grace = await service.user('grace@example.org', 'correct horse')
    const effort = async () => (await grace.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.effort
    const before = await effort()
    const other = await page.context().newPage()
    const signInAs = async (on: Page, address: string) => {
      await on.getByLabel('E-mail').fill(address)
      await on.getByLabel('Password').fill('correct horse')
      await on.keyboard.press('Enter')
      await on.getByRole('button', { name: /^Account of/ }).waitFor()
    }
    const signOut = async () => {
      await other.getByRole('button', { name: /^Account of/ }).click()
      await other.getByRole('menuitem', { name: 'Sign out' }).click()
      await other.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
    }
    // With nothing typed the first tab is signed out together with the second.
    await page.goto(`/tags/${task}?s=created_at`)
    const cell = await cellAt(page, 0, 'effort')
    await cell.waitFor()
    await other.goto('/')
    await signOut()
    await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
    await signInAs(page, email)
    // What is typed there waits for its own account, while somebody else is signed in by the cookie.
    await cell.click()
    await page.keyboard.type('77')
    await focused(page.getByRole('textbox', { name: /^effort of/ }))
    await other.goto('/')
    await signOut()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await signInAs(other, 'grace@example.org')
    await dialog.getByRole('button', { name: 'Leave this page' }).click()
    await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
    expect(await effort()).toBe(before)
    await signInAs(page, email)
    await expect.poll(effort).toBe(77)
    // The other tab is told so by its next call, and may go on as the account that is there now.
    await other.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
    const others = other.getByRole('dialog', { name: 'Your session has ended' })
    await others.getByText('Another account has signed in').waitFor()
    expect(await other.getByRole('main').innerText()).not.toContain('Nothing')
    await others.getByRole('button', { name: `Go on as ${email}` }).click()
    await other.getByRole('button', { name: `Account of ${email}` }).waitFor()
    await axe()
  })

  flow('takes in nobody else over a page whose session has ended', async ({ page, signIn, service }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 2)
    const { email } = await client.ok('GET', '/api/auth/me')
    await page.goto(`/tags/${task}?s=created_at`)
    const cell = await cellAt(page, 0, 'effort')
    await cell.click()
    // The address becomes somebody else's while the page is open.
    const proof = { current_password: 'correct horse' }
    await client.ok('PUT', '/api/auth/email', { email: 'elsewhere@example.org', ...proof })
    const other = await service.user(email, 'another horse')
    const effort = async () => (await other.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.effort
    const before = await effort()
    await client.ok('POST', '/api/auth/logout')
    await page.keyboard.type('77')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill('another horse')
    await page.keyboard.press('Enter')
    await dialog.getByText('This address belongs to another account now').waitFor()
    const status = () => page.evaluate(async () => (await fetch('/api/auth/me')).status)
    expect([await status(), await effort()]).toEqual([401, before])
    await dialog.getByRole('button', { name: 'Leave this page' }).click()
    await page.getByRole('heading', { name: 'Sign in to Facet' }).waitFor()
    expect(await effort()).toBe(before)
  })

  flow('saves what is chosen in a list, by whatever way it is left', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids, people } = await makeTasks(client, 2)
    const values = async (i = 0) => (await client.ok('GET', `/api/items/${ids[i]}`)).data[task].field_values
    await page.goto('/trash')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate((to) => history.pushState(null, '', to), `/tags/${task}?s=created_at`)
    await (await cellAt(page, 0, 'labels')).click()
    await page.keyboard.type('lat')
    await focused(page.getByRole('combobox', { name: /^labels of/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'later', selected: true }).waitFor()
    await asksToClose(page)
    await page.evaluate(() => history.back())
    await page.waitForURL('/trash')
    await expect.poll(async () => (await values()).labels).toEqual(['home', 'work', 'later'])
    // Chosen by Enter, and gone on elsewhere before the answer is there.
    await page.evaluate(() => history.forward())
    await (await cellAt(page, 0, 'assignee')).click()
    await page.keyboard.press('Enter')
    const box = page.getByRole('combobox', { name: /^assignee of/ })
    await focused(box)
    const held = await hold(page, 'POST', '**/api/items/search')
    await page.keyboard.type('Linus')
    await page.keyboard.press('Enter')
    await held.asked
    await (await cellAt(page, 1, 'note')).click()
    await page.keyboard.type('Here')
    const note = page.getByRole('textbox', { name: /^note of/ })
    await focused(note)
    held.send()
    await expect.poll(async () => (await values()).assignee).toBe(people[2])
    expect(await note.inputValue()).toBe('Here')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await values(1)).note).toBe('Here')
  })
})
