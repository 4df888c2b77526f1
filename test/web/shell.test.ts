import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { hold } from '#test/web/support/hold.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused, typeInto } from '#test/web/support/type-into.ts'

describe('what is around every page', () => {
  flow('finds tags and actions by name, and goes there by keys', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task } = await makeTasks(client, 5)
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await picture(page, 'home')
    // All of it before the palette can be there.
    await page.evaluate(() => {
      for (const key of 'ktas')
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key, ctrlKey: key === 'k', bubbles: true, cancelable: true }),
        )
    })
    const input = page.getByRole('combobox', { name: 'Find or do' })
    await page.getByRole('option', { name: /Task/ }).waitFor()
    await expect.poll(() => page.locator('[role=option][data-active-item]').count()).toBe(1)
    await picture(page, 'palette')
    await axe()
    await page.keyboard.press('Enter')
    await page.waitForURL(`/tags/${task}`)
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    await page.keyboard.press('Control+k')
    await input.fill('>dark')
    await page.getByRole('option', { name: 'Use the dark theme' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await axe()
    await page.reload()
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.waitForURL('/items')
    await page.getByRole('heading', { name: 'Items' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await picture(page, 'keys')
    await axe()
    await page.keyboard.press('Escape')
    await page.keyboard.press('[')
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
    await page.keyboard.press('[')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
  })

  flow(
    'scrolls the map of keys by keys, also when it grows while it is open',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 5)
      await page.setViewportSize({ width: 1280, height: 1600 })
      // Pressed before the table is there, whose keys come late.
      const held = await hold(page, 'POST', '**/api/items/search')
      await page.goto(`/tags/${task}`)
      await held.asked
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await dialog.waitFor()
      held.send()
      await dialog.getByText('Fill from above').waitFor()
      await page.setViewportSize({ width: 1280, height: 700 })
      await axe()
      const scrolled = () =>
        dialog.evaluate((all) => [...all.children].some(({ scrollTop }) => scrollTop > 0))
      await page.keyboard.press('Shift+Tab')
      await expect
        .poll(async () => {
          await page.keyboard.press('PageDown')
          return scrolled()
        })
        .toBe(true)
    },
  )

  flow('goes along lists and to the regions of a page by keys', async ({ page, signIn }) => {
    const client = await signIn()
    const { ids, people } = await makeTasks(client, 4)
    for (const id of ids.slice(1)) await client.ok('DELETE', `/api/items/${id}`)
    await page.goto('/trash')
    const lines = page.getByRole('list', { name: 'Deleted' }).getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(3)
    const line = () =>
      lines.evaluateAll((all) => all.findIndex((each) => each.contains(document.activeElement)))
    const at: number[] = []
    for (const key of ['j', 'j', 'j', 'j', 'k']) {
      await page.keyboard.press(key)
      at.push(await line())
    }
    expect(at).toEqual([0, 1, 2, 2, 1])
    for (const key of ['x', 'ArrowDown', 'x', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
    expect(await line()).toBe(0)
    await picture(page, 'trash-selected')
    const inRegion = () =>
      page.evaluate(() => document.activeElement?.closest('nav, main, aside')?.tagName.toLowerCase())
    const regions: unknown[] = [await inRegion()]
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('F6')
      regions.push(await inRegion())
    }
    // After the last one it is the browser's turn, and the focus stays for those who come back.
    expect(regions).toEqual(['main', 'main', 'nav', 'main'])
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Restore them' }).click()
    await expect.poll(() => lines.count()).toBe(1)
    await page.route('**/api/changes/undo', async (route) => {
      await page.getByText('Taking back: Restored 2 items …').first().waitFor()
      await route.fallback()
    })
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: Restored 2 items').first().waitFor()
    await expect.poll(() => lines.count()).toBe(3)
    await page.keyboard.press('g')
    await page.keyboard.press('v')
    await page.getByRole('heading', { name: 'No views yet' }).waitFor()
    await page.goto(`/items/${people[0]}`)
    await page.getByRole('complementary', { name: 'References' }).getByRole('link').first().waitFor()
    const passed: unknown[] = []
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('F6')
      passed.push(await inRegion())
    }
    // It begins in the page.
    expect(passed).toEqual(['aside', 'aside', 'nav', 'main'])
    // What is typed before the palette is there is not lost, and does nothing else.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('x marks the spot', { delay: 0 })
    await page.getByText('Nothing is called “x marks the spot”').waitFor()
  })

  flow('takes an Enter that comes before the list shows what was typed', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 5)
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const press = async (keys: readonly string[]) =>
      page.evaluate((all) => {
        for (const key of all)
          (document.activeElement ?? document.body).dispatchEvent(
            new KeyboardEvent('keydown', { key, ctrlKey: key === 'k', bubbles: true, cancelable: true }),
          )
      }, keys)
    // The palette cannot be there yet; what comes after the Enter is for nobody.
    await press(['k', 't', 'a', 's', 'Enter', 'x'])
    await page.waitForURL(`/tags/${task}`)
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    // It is there, and its list is that of less text: the Enter is not for the first line of that.
    await page.keyboard.press('Control+k')
    const input = page.getByRole('combobox', { name: 'Find or do' })
    await page.getByRole('option', { name: /Person/ }).waitFor()
    await input.evaluate(async (box: HTMLInputElement) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
      set!.call(box, '>dark')
      box.dispatchEvent(new InputEvent('input', { bubbles: true, data: 'k', inputType: 'insertText' }))
      await Promise.resolve()
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    })
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    expect(await page.getByRole('dialog').count()).toBe(0)
    // Items of the text before are still listed: it is for those of this text.
    await page.keyboard.press('Control+k')
    await input.fill('plants')
    await page.getByRole('option', { name: /Water the plants 1/ }).waitFor()
    const held = await hold(page, 'POST', '**/api/items/search')
    await input.fill('roof')
    await held.asked
    await page.keyboard.press('Enter')
    held.send()
    await page.waitForURL(`/items/${ids[1]}`)
  })

  flow('leaves nothing of one person to the next', async ({ page, signIn, service }) => {
    const client = await signIn()
    const { ids } = await makeTasks(client, 2)
    const grace = await service.user('grace@example.org')
    const leave = async () => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find or do' }).fill('>sign out')
      await page.getByRole('option', { name: 'Sign out' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('/sign-in')
    }
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await leave()
    await page.getByLabel('E-mail').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    // Without the page being loaded again: what it remembers is what is asked for.
    await page.getByLabel('E-mail').fill('grace@example.org')
    await page.getByLabel('Password').fill('correct horse')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('link', { name: /^Task/ }).waitFor()
    await page.getByRole('button', { name: 'Account of grace@example.org' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Nothing to be undone').waitFor({ state: 'attached' })
    expect((await grace.get(`/api/items/${ids[0]}`)).status).toBe(404)
    // What is not saved yet is saved before the session is gone.
    await page.goto(`/items/${ids[1]}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('e')
    await typeInto(page.getByRole('textbox', { name: 'Description' }), 'Almost lost')
    await page.getByRole('button', { name: 'Account of grace@example.org' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('/sign-in')
    expect((await grace.ok('GET', `/api/items/${ids[1]}`)).description).toBe('<p>Almost lost</p>')
  })

  flow(
    'says once that the service does not answer, and goes on when it is back',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 5)
      await page.goto(`/tags/${task}`)
      await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
      await page.route('**/api/**', (route) => route.abort('connectionrefused'))
      await page.getByRole('searchbox').fill('plants')
      await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor()
      await picture(page, 'gone', { widths: ['wide', 'phone'] })
      await page.unroute('**/api/**')
      await page.getByRole('alert').waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('row', { name: /plants/ }).count()).toBe(1)
    },
    { expected: ['net::ERR_CONNECTION_REFUSED'] },
  )

  flow('says that there is nothing at an address', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/nowhere/at/all')
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    await picture(page, 'nowhere', { widths: ['wide'] })
    await page.getByRole('link', { name: 'Go home' }).click()
    await page.waitForURL('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    // An address that no item can have: it was typed, or cut off where it was copied.
    await page.goto('/items/%ZZ')
    await page.getByRole('heading', { name: 'There is no such item' }).waitFor()
    await page.getByRole('link', { name: 'All items' }).click()
    await page.waitForURL('/items')
    await page.goto('/tags/%E0%A4%A')
    await page.getByRole('heading', { name: 'There is no such tag' }).waitFor()
  })

  flow(
    'offers a reader nothing that would be refused',
    async ({ page, signIn, service, axe }) => {
      const { task } = await makeTasks(await service.user(), 5)
      await signIn() // the second account, so a reader
      await page.goto(`/tags/${task}`)
      await page.getByText('You may read here, not write').first().waitFor()
      expect(await page.getByRole('button', { name: 'New item' }).count()).toBe(0)
      await page.getByRole('gridcell', { name: 'Water the plants 1', exact: true }).dblclick()
      expect(await page.getByRole('textbox').count()).toBe(0)
      await picture(page, 'reader', { widths: ['wide'] })
      await axe()
    },
    { env: { DEFAULT_ROLE: 'reader' } },
  )

  flow(
    'lets somebody in by an invitation where registration is closed',
    async ({ page, service }) => {
      await page.goto('/register')
      await page.getByText('Registration is closed').waitFor()
      await page.goto('/invite/not-a-token')
      await page.getByLabel('E-mail').fill('ada@example.org')
      await page.getByLabel('Password').fill('correct horse')
      await page.getByRole('button', { name: 'Make an account' }).click()
      await page.getByRole('alert').waitFor()
      expect((await service.client().get('/api/service')).body.registration).toBe('closed')
      await picture(page, 'invited', { widths: ['wide', 'phone'] })
    },
    { env: { REGISTRATION: 'closed' } },
  )

  flow('says every key once, by its name, and finds what people type', async ({ page, signIn, axe }) => {
    const { task } = await makeTasks(await signIn(), 2)
    await page.goto(`/tags/${task}`)
    await page.getByRole('row', { name: /Water/ }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const keysOf = (title: string) =>
      map
        .locator('dl > div')
        .filter({ has: page.getByText(title, { exact: true }) })
        .locator('kbd')
    await keysOf('Select the row').first().waitFor()
    expect(await keysOf('Select the row').allInnerTexts()).toEqual(['Shift', 'Space'])
    expect(await keysOf('Filter').allInnerTexts()).toEqual(['F', 'Ctrl', 'Shift', 'F'])
    expect(await map.getByText('Filter', { exact: true }).count()).toBe(1)
    const blank = (texts: string[]) => texts.filter((text) => !text.trim())
    expect(blank(await map.locator('kbd').allInnerTexts())).toEqual([])
    // The ring of what is scrolled by keys lies inside, so the dialog's edge does not cut it.
    const body = map.locator('[tabindex="0"]')
    await body.focus()
    await page.keyboard.press('ArrowDown')
    expect(await body.evaluate((element) => getComputedStyle(element).outlineOffset)).toBe('-2px')
    await picture(page, 'keys', { widths: ['wide', 'phone'] })
    await axe()
    for (const [typed, path] of [
      ['/settings', '/settings/account'],
      ['/assistant', '/chat'],
    ] as const) {
      const answer = await page.goto(typed)
      expect(answer!.status()).toBe(200)
      await page.waitForURL(`**${path}`)
    }
  })

  flow('leaves the page alone beneath a dialog that has the keys', async ({ page, signIn }) => {
    const client = await signIn()
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Beneath' })
    await page.goto(`/items/${item_id}`)
    await page.getByRole('heading', { level: 1, name: 'Beneath' }).waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await focused(dialog.getByRole('button', { name: 'Close' }))
    for (const key of ['e', 'c', 'g', 't', 'f2', '#']) await page.keyboard.press(key.replace('f2', 'F2'))
    await page.keyboard.press('Control+j')
    expect(new URL(page.url()).pathname).toBe(`/items/${item_id}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: /Description|Name/ }).count()).toBe(0)
    expect(await page.getByRole('complementary', { name: 'Assistant' }).count()).toBe(0)
    await client.ok('GET', `/api/items/${item_id}`)
    // The page has them again.
    await page.keyboard.press('#')
    await expect.poll(async () => (await client.get(`/api/items/${item_id}`)).status).not.toBe(200)
  })
})
