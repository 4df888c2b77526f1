import { describe, expect } from 'vitest'
import { cellAt } from '#test/web/support/cell.ts'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { typeInto } from '#test/web/support/type-into.ts'

const REFUSED = {
  status: 503,
  json: { error: 'ServiceUnavailable', message: 'The disk is full: nothing was changed' },
}

describe('what is pressed before an answer comes', () => {
  flow('goes on with the next new item, and makes each once', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 2)
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await page.keyboard.press('c')
    const held = await hold(page, 'POST', '**/api/items')
    const name = page.getByLabel('Name of the new item')
    await name.fill('First')
    await name.press('Enter')
    await held.asked
    await name.press('Enter') // pressed twice: there is no second name yet
    await name.pressSequentially('Second')
    await name.press('Enter')
    await name.pressSequentially('Third')
    held.send()
    await page.getByRole('row', { name: /Second/ }).waitFor()
    expect(await name.inputValue()).toBe('Third')
    const { total } = await found(client, { name: { in: ['First', 'Second', 'Third'] } })
    expect([total, held.count()]).toEqual([2, 2])
  })

  flow('makes an item of each line that is typed before the bar is there', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 2)
    const press = async (keys: readonly string[]) =>
      page.evaluate((all) => {
        for (const key of all)
          (document.activeElement ?? document.body).dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
          )
      }, keys)
    const typed = ['c', 'M', 'i', 'l', 'k', 'Enter', 'E', 'g', 'g', 's', 'Enter', 'B', 'r', 'e']
    const made = async () => (await found(client, { name: { in: ['Milk', 'Eggs'] } })).total
    // From a page that has no bar, and on one that has.
    for (const [i, path] of ['/', `/tags/${task}`].entries()) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await press(typed)
      const name = page.getByLabel('Name of the new item')
      await expect.poll(() => name.inputValue()).toBe('Bre')
      await expect.poll(made).toBe(2 * (i + 1))
      await page.getByRole('row', { name: /Milk/ }).first().waitFor()
      await page.getByRole('row', { name: /Eggs/ }).first().waitFor()
      await name.fill('')
    }
  })

  flow(
    'gives back every name that could not be made',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 2)
      await page.goto(`/tags/${task}`)
      await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
      await page.keyboard.press('c')
      const name = page.getByLabel('Name of the new item')
      const { promise: held, resolve: fail } = Promise.withResolvers<void>()
      await page.route('**/api/items', async (route) => {
        await held
        await route.fulfill(REFUSED)
      })
      for (const each of ['Milk', 'Eggs', 'Bread']) {
        await name.fill(each)
        await name.press('Enter')
      }
      fail()
      await page.getByText(/Bread was not made: .* next in the box: Eggs, Bread\./).waitFor()
      expect(await name.inputValue()).toBe('Milk')
      await page.unroute('**/api/items')
      for (const each of ['Milk', 'Eggs', 'Bread']) {
        await expect.poll(() => name.inputValue()).toBe(each)
        await name.press('Enter')
        await page.getByRole('row', { name: new RegExp(each) }).waitFor()
      }
      expect(await name.inputValue()).toBe('')
    },
    { expected: [404, 503] },
  )

  flow(
    'is made once where the answer is lost, and the page is held until it is there',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 2)
      const gone = page.getByRole('alert').filter({ hasText: 'does not answer' })
      /** The service carries it out, and goes before it can say so. */
      const lose = async () => {
        await page.route('**/api/health', (route) => route.abort())
        await page.route('**/api/items', async (route) => {
          await route.fetch()
          await route.abort()
        })
      }
      const comeBack = async () => {
        await gone.getByText('keep Facet open until then').waitFor()
        await page.unroute('**/api/items')
        await page.unroute('**/api/health')
        await gone.waitFor({ state: 'detached' })
      }
      const madeOnce = async (name: string) =>
        expect(await found(client, { name: { in: [name] } })).toEqual({ total: 1 })
      // The page for what comes from elsewhere: what it holds is asked for until it is made.
      await page.goto('/new?title=Ladder')
      await lose()
      await page.getByRole('button', { name: 'Make the item' }).click()
      await gone.waitFor()
      const asked: string[] = []
      page.on('dialog', (dialog) => {
        asked.push(dialog.type())
        void dialog.dismiss()
      })
      await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
      await expect.poll(() => asked).toEqual(['confirm'])
      await comeBack()
      await page.getByRole('heading', { level: 1, name: 'Ladder' }).waitFor()
      await madeOnce('Ladder')
      // A new row of a table: the page may be left within the application, not closed.
      await page.goto(`/tags/${task}?s=created_at`)
      await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
      await page.keyboard.press('c')
      const name = page.getByLabel('Name of the new item')
      await lose()
      await typeInto(name, 'Milk')
      await name.press('Enter')
      await gone.waitFor()
      await page.close({ runBeforeUnload: true })
      await expect.poll(() => asked).toEqual(['confirm', 'beforeunload'])
      await comeBack()
      await page.getByRole('row', { name: /Milk/ }).waitFor()
      await madeOnce('Milk')
      await name.press('Escape')
      // What a reference is to name.
      await (await cellAt(page, 0, 'assignee')).click()
      await page.keyboard.type('Hedy')
      await page.getByRole('option', { name: 'Create “Hedy”' }).waitFor()
      await lose()
      await page.keyboard.press('Enter')
      await comeBack()
      await (await cellAt(page, 0, 'assignee')).getByText('Hedy').waitFor()
      await madeOnce('Hedy')
      // A copy of an item.
      await page.goto(`/items/${ids[1]}`)
      await page.getByRole('button', { name: 'Duplicate' }).waitFor()
      await lose()
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await comeBack()
      await page.getByRole('heading', { level: 1, name: 'Mend the roof 2 (copy)' }).waitFor()
      await madeOnce('Mend the roof 2 (copy)')
      expect(asked).toEqual(['confirm', 'beforeunload'])
    },
    { expected: [404, 'net::ERR_FAILED'] },
  )

  flow(
    'waits for the answer of what has arrived, and for a service that is ending',
    async ({ page, signIn }) => {
      const client = await signIn()
      await page.goto('/new?title=Ladder')
      const underWay = {
        status: 409,
        json: {
          error: 'Conflict',
          message: 'A request with this Idempotency-Key (idempotency_key) is still under way',
          details: { retry_after: 1 },
        },
      }
      const unavailable = (message: string, details: object) => ({
        status: 503,
        json: { error: 'ServiceUnavailable', message, details },
      })
      const answers = [
        underWay,
        unavailable('The service is shutting down', { retry_after: 1 }),
        unavailable('Whether it was made is unknown', { outcome: 'unknown' }),
      ]
      const keys: (string | undefined)[] = []
      await page.route('**/api/items', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        const answer = answers[keys.length - 1]
        await (answer ? route.fulfill(answer) : route.continue())
      })
      await page.getByRole('button', { name: 'Make the item' }).click()
      await page.getByRole('heading', { level: 1, name: 'Ladder' }).waitFor()
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(keys).toEqual([keys[0], keys[0], keys[0], keys[0]])
      expect(await found(client, { name: { in: ['Ladder'] } })).toEqual({ total: 1 })
    },
    { expected: [404, 409, 503] },
  )

  flow('keeps the name of a new item that another layout takes away', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 2)
    await page.goto(`/tags/${task}?l=board&by=${task}.status`)
    await page.getByRole('button', { name: 'New item in doing' }).click()
    await typeInto(page.getByRole('textbox', { name: 'New item in doing' }), 'Milk')
    await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Table' }).click()
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.getByText('Not made yet: Milk').waitFor()
    await messages.getByRole('button', { name: 'Make' }).click()
    const milk = { and: [{ name: { in: ['Milk'] } }, { [`${task}.status`]: { match: 'doing' } }] }
    await expect.poll(async () => (await found(client, milk)).total).toBe(1)
    // The bar, by a look at the past; what is dropped by Escape is dropped.
    await page.keyboard.press('c')
    const name = page.getByLabel('Name of the new item')
    await typeInto(name, 'Eggs')
    await page.evaluate(() => history.pushState(null, '', `${location.href}&at=2026-01-01T00:00:00.000Z`))
    await messages.getByText('Not made yet: Eggs').waitFor()
    await page.evaluate(() => history.back())
    await typeInto(name, 'Bread')
    await page.keyboard.press('Escape')
    await name.waitFor({ state: 'detached' })
    expect(await messages.getByText('Bread').count()).toBe(0)
  })

  flow(
    'says which names could not be made, and offers them again, where the box was closed meanwhile',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 2)
      await page.goto(`/tags/${task}`)
      await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
      for (const where of ['bar', 'card'] as const) {
        const names = [`Milk of the ${where}`, `Eggs of the ${where}`]
        if (where === 'bar') await page.keyboard.press('c')
        else {
          await page.goto(`/tags/${task}?l=board&by=${task}.status`)
          await page.getByRole('button', { name: 'New item in idea' }).click()
        }
        const name = page.getByRole('textbox', { name: /^(Name of the new item|New item in idea)$/ })
        const { promise: held, resolve: fail } = Promise.withResolvers<void>()
        await page.route('**/api/items', async (route) => {
          await held
          await route.fulfill(REFUSED)
        })
        for (const each of names) {
          await typeInto(name, each)
          await name.press('Enter')
        }
        await name.press('Escape')
        await name.waitFor({ state: 'detached' })
        fail()
        const message = page.getByRole('region', { name: 'Messages' })
        await message.getByText(`Milk of the ${where}, Eggs of the ${where} were not made`).waitFor()
        await page.unroute('**/api/items')
        await message.getByRole('button', { name: 'Try again' }).click()
        await expect.poll(async () => (await found(client, { name: { in: names } })).total).toBe(2)
      }
    },
    { expected: [404, 503] },
  )

  flow(
    'gives a new item what the filter asks for, though it was entered before that was known',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 4)
      const filter = { and: [{ has_tag: task }, { [`${task}.status`]: { match: 'open' } }] }
      const view = await client.ok('POST', '/api/views', { name: 'Open ones', filter })
      await page.goto(`/views/${view.view_id}`)
      await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
      const held = await hold(page, 'POST', '**/api/filters/defaults')
      await page.keyboard.press('c')
      await held.asked
      const name = page.getByLabel('Name of the new item')
      await name.fill('Milk')
      await name.press('Enter')
      await expect.poll(() => name.inputValue()).toBe('')
      // Until it is on its way, who leaves is asked.
      const asked = page.waitForEvent('dialog').then(async (dialog) => {
        await dialog.dismiss()
        return dialog.message()
      })
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Task' }).click()
      expect(await asked).toContain('Leave without saving?')
      held.send()
      await page.getByText('Made Milk').first().waitFor()
      expect((await found(client, { and: [filter, { name: 'Milk' }] })).total).toBe(1)
    },
  )

  flow('takes back what was done last, also while it is written', async ({ page, signIn }) => {
    const client = await signIn()
    const { ids, task } = await makeTasks(client, 1)
    await page.goto(`/tags/${task}?s=name`)
    await page.locator('[data-cell="0:0"]').click()
    for (const name of ['One', 'Two']) {
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).name).toBe(name)
      await page.locator('[data-cell="0:0"]').click()
    }
    const held = await hold(page, 'PUT', `**/api/items/${ids[0]}`)
    await page.keyboard.type('Three')
    await page.keyboard.press('Enter')
    await held.asked
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    held.send()
    await page.getByText('Undone:').first().waitFor()
    await expect.poll(async () => (await client.ok('GET', `/api/items/${ids[0]}`)).name).toBe('One')
    await page.locator('[data-cell="0:0"]').getByText('One').waitFor()
    await page.keyboard.press('Control+y')
    await page.locator('[data-cell="0:0"]').getByText('Two').waitFor()
  })

  flow('takes back what was done last before it is sent', async ({ page, signIn }) => {
    const client = await signIn()
    const { ids, task } = await makeTasks(client, 1)
    const values = async () => (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values
    await page.goto(`/tags/${task}?s=name`)
    const row = page.getByRole('row', { name: /Water the plants/ })
    await row.getByText('0.25').click()
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await values()).effort).toBe(null)
    await row.getByText('idea').click()
    // What the variants are called by now is asked first.
    const held = await hold(page, 'POST', '**/api/audit-log/search')
    await page.keyboard.press('Delete')
    await held.asked
    await page.keyboard.press('Control+z')
    held.send()
    await page.getByText('Undone: Emptied status').first().waitFor()
    await row.getByText('idea').waitFor()
    expect(await values()).toMatchObject({ status: { variant: 'idea' }, effort: null })
  })

  flow('keeps a filter that is changed while the view is saved', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 6)
    const view = await client.ok('POST', '/api/views', { name: 'Mine', filter: { has_tag: task } })
    await page.goto(`/views/${view.view_id}?s=name`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    const held = await hold(page, 'PUT', `**/api/views/${view.view_id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await held.asked
    await page.getByRole('searchbox', { name: 'Search in this table' }).fill('roof')
    await page.waitForURL(/q=roof/)
    held.send()
    await page.getByText('Saved Mine').first().waitFor()
    expect(page.url()).toContain('q=roof')
    await page.getByRole('button', { name: 'Save' }).waitFor()
  })

  flow('keeps what is typed of a tag that somebody else changes', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 2)
    const tag = await client.ok('GET', `/api/tags/${task}`)
    await page.goto(`/tags/${task}/schema`)
    const about = page.getByLabel('What it is for')
    await about.fill('What is to be done')
    await client.ok('PUT', `/api/tags/${task}`, { name: tag.name, description: 'Theirs' })
    await page.getByText('Somebody has changed this tag meanwhile.').waitFor()
    expect(await about.inputValue()).toBe('What is to be done')
    // Why it cannot be saved is seen by whoever asks for it, though it is at the end of the page.
    const save = page.getByRole('button', { name: 'Save…' })
    const why = page.getByText('Somebody has changed this tag meanwhile.').first()
    const isSeen = async () => {
      const [text, button] = [await why.boundingBox(), await save.boundingBox()]
      return text!.y > 0 && text!.y + text!.height <= button!.y
    }
    expect(await isSeen()).toBe(false)
    await save.click()
    await expect.poll(isSeen).toBe(true)
    await about.fill('What is to be done')
    await picture(page, 'tag-overtaken', { widths: ['wide'] })
    await page.getByRole('button', { name: 'Begin again from how it is now' }).click()
    await expect.poll(() => about.inputValue()).toBe('Theirs')
    // Nothing typed: it follows by itself.
    await client.ok('PUT', `/api/tags/${task}`, { name: tag.name, description: 'Theirs again' })
    await expect.poll(() => about.inputValue()).toBe('Theirs again')
  })

  flow('imports once, though the tag changes meanwhile', async ({ page, signIn }) => {
    const client = await signIn()
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Book', fields: { year: 'Number' } })
    await page.goto(`/import?tag=${tag_id}`)
    await page.getByLabel('or paste rows from a spreadsheet').fill('name,year\nEmma,1815\nPersuasion,1817')
    await page.getByRole('button', { name: 'Look at these rows' }).click()
    await page.getByRole('button', { name: 'See what it would do' }).click()
    const held = await hold(page, 'POST', '**/api/imports/*/run')
    await page.getByRole('button', { name: 'Import 2 items' }).click()
    await held.asked
    const tags = page.waitForResponse((answer) => answer.url().endsWith('/api/tags'))
    await client.ok('PUT', `/api/tags/${tag_id}`, {
      name: 'Book',
      fields: { year: 'Number', shelf: 'String' },
    })
    await tags
    held.send()
    await page.getByText('Imported 2 items.').waitFor()
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0)
    expect((await found(client, { has_tag: tag_id })).total).toBe(2)
  })

  flow('is done once where it is pressed twice', async ({ page, signIn }) => {
    const client = await signIn()
    const { ids, task } = await makeTasks(client, 2)
    await client.ok('DELETE', `/api/items/${ids[0]}`)
    await client.ok('DELETE', `/api/tags/${task}`)
    await page.goto('/trash')
    const restores = await hold(page, 'POST', '**/api/items/restore')
    const restore = page.getByRole('button', { name: 'Restore Water the plants 1' })
    await restore.click()
    await restores.asked
    expect(await restore.isDisabled()).toBe(true)
    restores.send()
    // Its tag is not there any more, and it says so.
    await page.getByText('Restored Water the plants 1 without Task').first().waitFor()
    await page.goto('/settings/members')
    const invitations = await hold(page, 'POST', '**/api/invitations')
    const invite = page.getByRole('button', { name: 'Make a link' })
    await invite.click()
    await invitations.asked
    expect(await invite.isDisabled()).toBe(true)
    await page.getByLabel('E-mail (may be left empty)').press('Enter')
    invitations.send()
    await page.getByRole('button', { name: 'Copy the link' }).waitFor()
    expect([restores.count(), invitations.count()]).toEqual([1, 1])
  })

  flow('keeps what is typed into a form that is being sent', async ({ page, signIn, service }) => {
    const client = await signIn()
    const other = await service.user('grace@example.org')
    await page.goto('/settings/account')
    const name = page.getByLabel('Name', { exact: true })
    const profile = await hold(page, 'PUT', '**/api/auth/profile')
    await name.fill('Ada')
    await name.press('Enter')
    await profile.asked
    await name.pressSequentially(' Lovelace')
    profile.send()
    await page.getByText('Saved your name').first().waitFor()
    await page.getByRole('button', { name: 'Account of Ada' }).waitFor()
    expect(await name.inputValue()).toBe('Ada Lovelace')
    expect((await client.ok('GET', '/api/auth/me')).display_name).toBe('Ada')
    await name.press('Enter')
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor()
    expect(await name.inputValue()).toBe('Ada Lovelace')
    await page.goto('/settings/members')
    const role = page.getByLabel('Role of grace@example.org')
    const user = await hold(page, 'PUT', '**/api/users/*')
    await choose(role, 'Reader: reads')
    await user.asked
    expect(await role.innerText()).toBe('Reader: reads')
    await choose(role, 'Owner: everything, people too')
    await choose(role, 'Editor: changes the base')
    user.send()
    await page.getByText('grace@example.org is editor now').first().waitFor()
    expect((await other.ok('GET', '/api/auth/me')).role).toBe('editor')
    await expect.poll(() => role.innerText()).toBe('Editor: changes the base')
  })

  flow('says that it loads, where the service takes its time', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 1)
    const held = await hold(page, 'GET', '**/api/service')
    await page.goto(`/tags/${task}`, { waitUntil: 'commit' })
    await held.asked
    const said = () =>
      page.evaluate(() => {
        const { content, opacity } = getComputedStyle(
          document.querySelector('[data-starting]') ?? document.body,
          '::after',
        )
        return [content, opacity]
      })
    await expect.poll(said).toEqual(['"Loading…"', '1'])
    held.send()
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    expect((await said())[0]).toBe('none')
  })

  flow('counts what an undo takes away while the table is open', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 6)
    await page.goto(`/tags/${task}?s=name`)
    const count = page.locator('h1 + span')
    await expect.poll(() => count.innerText()).toBe('6')
    await page.keyboard.press('c')
    const name = page.getByLabel('Name of the new item')
    await name.fill('Extra')
    await name.press('Enter')
    await page.getByRole('row', { name: /Extra/ }).waitFor()
    await expect.poll(() => count.innerText()).toBe('7')
    await name.press('Escape')
    await page.keyboard.press('Control+z')
    await page.getByRole('row', { name: /Extra/ }).waitFor({ state: 'detached' })
    await expect.poll(() => count.innerText()).toBe('6')
  })

  flow(
    'says what was done next to where one works, and of plain words the last',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 60)
      await page.goto(`/tags/${task}?s=name`)
      await page.getByRole('row', { name: /Call the plumber 6/ }).waitFor()
      const { height, width } = page.viewportSize()!
      const cells = page.locator('[data-cell]')
      const boxes = await cells.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
      const lowest = boxes.findLastIndex(
        ({ bottom, left, right }: DOMRect) =>
          bottom < height - 20 && bottom > height - 100 && right > width - 400 && left < width - 60,
      )
      expect(lowest).toBeGreaterThan(-1)
      await cells.nth(lowest).click()
      const messages = page.getByRole('region', { name: 'Messages' })
      await page.keyboard.press('Delete')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Delete')
      for (let n = 0; n < 2; n++) {
        await page.keyboard.press('Control+z')
        await messages.getByText('Undone:').waitFor()
      }
      await expect.poll(() => messages.locator('p').count()).toBe(1)
      const [message, cell] = [await messages.boundingBox(), await page.locator(':focus').boundingBox()]
      expect([message!.y < cell!.y + cell!.height, cell!.y < message!.y + message!.height]).not.toEqual([
        true,
        true,
      ])
    },
  )

  flow('opens the filter that was asked for before its part was there', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    const { promise: held, resolve: send } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes('Filter as a tree, or as JSON')) await held
      await route.fulfill({ response })
    })
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Filter', exact: true }).count()).toBe(0)
    await page.keyboard.press('f')
    send()
    await page.getByRole('dialog', { name: 'New condition' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'New condition' }).waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    await page.getByRole('dialog', { name: 'New condition' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' }) // parts that are loaded beforehand may be under way
  })

  flow('keeps what is typed for a dialog that is not there yet', async ({ page, signIn }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 3)
    const { promise: held, resolve: send } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      const response = await route.fetch()
      if (/label:"Name",autoFocus/.test(await response.text())) await held
      await route.fulfill({ response })
    })
    await page.goto(`/tags/${task}?s=name`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    const save = page.getByRole('button', { name: 'Save view' })
    await save.click()
    await page.keyboard.type('Cheap')
    await page.keyboard.press('Escape')
    await save.click()
    await page.keyboard.type('Cheap things')
    expect(await page.getByLabel('Name of the new item').count()).toBe(0)
    send()
    const name = page.getByRole('dialog').getByLabel('Name')
    await expect.poll(() => name.inputValue()).toBe('Cheap things')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/views\/\w+$/)
    // Before that the parts of the page are still on their way.
    await page.getByRole('heading', { level: 1, name: 'Cheap things' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  flow('leaves a bulk change alone that somebody else was faster than', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { ids, task } = await makeTasks(client, 3)
    await page.goto(`/tags/${task}?s=name`)
    await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
    await page.locator('[data-cell="0:0"]').click()
    await page.keyboard.press('Shift+Space')
    await page.getByRole('button', { name: 'Set field' }).click()
    const dialog = page.getByRole('dialog')
    await choose(dialog.getByLabel('Field', { exact: true }), 'effort')
    await dialog.getByLabel('New value of effort').fill('40')
    await dialog.getByText('This will change 1 item.').waitFor()
    const held = await hold(page, 'POST', '**/api/items/bulk-update-fields')
    await dialog.getByRole('button', { name: 'Change 1 item' }).click()
    await held.asked
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    const [, mine] = ids // by name it is the first
    await client.ok('PUT', `/api/items/${mine}/tags/${task}`, { field_values: { effort: 7 }, merge: true })
    held.send()
    await dialog.getByText('Somebody has changed one of them while you looked.').waitFor()
    await picture(page, 'bulk-overtaken')
    await axe()
    await dialog.getByRole('cell', { name: '7', exact: true }).waitFor() // before → after, as it is now
    const read = async () => (await client.ok('GET', `/api/items/${mine}`)).data[task].field_values.effort
    expect(await read()).toBe(7)
    await dialog.getByRole('button', { name: 'Change 1 item' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toBe(40)
  })
})

type Client = Parameters<typeof makeTasks>[0]

async function found(client: Client, filter: object): Promise<{ total: number }> {
  const all: unknown[] = await client.ok('POST', '/api/items/search', { filter })
  return { total: all.length }
}
