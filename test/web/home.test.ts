import { describe, expect } from 'vitest'
import { day, flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { choose } from '#test/web/support/choose.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused } from '#test/web/support/type-into.ts'

describe('home', () => {
  flow('begins an empty base with demo data in one click, and takes it away again', async (given) => {
    const { page, signIn, axe } = given
    const client = await signIn()
    await page.goto('/')
    await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
    await picture(page, 'home-empty')
    await axe()
    await page.getByRole('button', { name: 'Fill it with demo data' }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Task\s*20$/ })
      .waitFor()
    await picture(page, 'home-full')
    await axe()
    expect(
      (await client.ok('POST', '/api/items/search', { filter: { 'Task.assignee->name': 'Ada Lovelace' } }))
        .length,
    ).toBe(4)
    await page.getByLabel('Find items').fill('antenna')
    await page.keyboard.press('Enter')
    await page.waitForURL('/items?q=antenna')
    await page.getByRole('row', { name: /Put up the antenna/ }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: /Hello/ }).click()
    await page.keyboard.press('Control+z')
    await page.getByRole('heading', { name: 'This base is empty' }).waitFor()
  })

  flow('makes the first tag from a template', async ({ page, signIn }) => {
    const client = await signIn()
    await page.goto('/')
    await page.getByRole('link', { name: /^Book/ }).click()
    await page.getByLabel('Name of the field author').waitFor()
    await page.getByRole('button', { name: 'Make this tag' }).click()
    await page.getByRole('heading', { level: 1, name: 'Book' }).waitFor()
    expect((await client.ok('GET', '/api/tags'))[0].fields.shelf.variants).toHaveLength(3)
  })

  flow('says what agents did since one was last here', async ({ page, signIn }) => {
    const client = await signIn()
    await client.ok('POST', '/api/tags', { name: 'Task', fields: {} })
    const me = await client.ok('GET', '/api/auth/me')
    await page.goto('/trash')
    const before = new Date(Date.now() - 3_600_000).toISOString()
    await page.evaluate(
      ([id, time]) => localStorage.setItem(`facet.seen.${id}`, ` ${time}`),
      [me.user_id, before],
    )
    const { key } = await client.ok('POST', '/api/keys', { name: 'Night shift', scope: 'write' })
    const url = new URL('/api/items', page.url())
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'Made at night' }) })
    await page.goto('/')
    await page.getByRole('heading', { name: /^Since you were here/ }).waitFor()
    await page.getByText('Night shift for you').waitFor()
    // What a pointer meets of a link in a heading is higher than its words.
    const met = await page.getByRole('link', { name: 'All changes' }).evaluate((link) => {
      const { left, top, height } = link.getBoundingClientRect()
      return [-12, 12].map((off) => document.elementFromPoint(left + 9, top + height / 2 + off) === link)
    })
    expect(met).toEqual([true, true])
    await picture(page, 'home-since', { widths: ['wide', 'phone'] })
  })

  flow('begins with what is pinned, in an order of one’s own, wherever one signs in', async (given) => {
    const { page, open, signIn, axe } = given
    const client = await signIn()
    const { task, person } = await makeTasks(client, 5)
    const { view_id } = await client.ok('POST', '/api/views', {
      name: 'Open tasks',
      filter: { 'Task.status': 'open' },
    })
    for (const path of [`/tags/${task}`, `/views/${view_id}`, `/tags/${person}`]) {
      await page.goto(path)
      await page.getByRole('button', { name: 'Pin', exact: true }).click()
      await page.getByRole('button', { name: 'Unpin' }).waitFor()
    }
    const pinned = page.getByRole('navigation', { name: 'Main' }).locator('[data-reorder] a')
    const names = async () => (await pinned.allInnerTexts()).slice(0, 3)
    expect(await names()).toEqual(['Task', 'Open tasks', 'Person'])
    await pinned.nth(2).focus()
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await kept
    await axe()
    await page.goto('/')
    const cards = page.getByRole('region', { name: 'Pinned' }).getByRole('link')
    await expect
      .poll(async () => (await cards.allInnerTexts()).map((each) => each.split(/\s*\n\s*/)))
      .toEqual([
        ['Person', '3'],
        ['Task', '5'],
        ['Open tasks', '1'],
      ])
    await picture(page, 'home-pinned')
    // Somebody else in this browser begins without; the account's other browsers have them.
    const other = await open()
    await other.context().addCookies(await page.context().cookies())
    await other.goto('/')
    await other.getByRole('region', { name: 'Pinned' }).getByRole('link').nth(2).waitFor()
    await page.context().clearCookies()
    await signIn()
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: /Hello/ }).waitFor()
    await expect.poll(() => cards.count()).toBe(0)
  })

  flow('says what is due, what waits for a decision and what happened, in few sentences', async (given) => {
    const { page, signIn, axe, service } = given
    const client = await signIn()
    const status = { type: 'Select', variants: ['open', { name: 'done', closed: true }] }
    const { tag_id: task } = await client.ok('POST', '/api/tags', {
      name: 'Task',
      fields: { status, due: 'Date', born: 'Date' },
    })
    const made: string[] = []
    for (const [name, due, variant] of [
      ['Late', day(-3), 'open'],
      ['Done before', day(-3), 'done'],
      ['Soon', day(2), 'open'],
      ['In a month', day(30), 'open'],
    ] as const) {
      const values = { due, born: day(1), status: { variant } }
      const tags = [{ tag_ref: { Existing: task }, field_values: values }]
      made.push((await client.ok('POST', '/api/items', { name, tags })).item_id)
    }
    for (const variant of ['done', 'open', 'done', 'open'])
      await client.ok('PUT', `/api/items/${made[3]}/tags/${task}`, {
        field_values: { status: { variant } },
        merge: true,
      })
    const { key } = await client.ok('POST', '/api/keys', { name: 'Night shift', scope: 'propose' })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = `${service.url}/api/items/${made[2]}`
    await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ name: 'Very soon' }) })

    await page.goto(`/items/${made[0]}`)
    await page.getByRole('heading', { level: 1, name: 'Late' }).waitFor()
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    await page.goto(`/items/${made[2]}`)
    await page.getByRole('heading', { level: 1, name: 'Soon' }).waitFor()
    await page.goto('/')
    const side = page.getByRole('navigation', { name: 'Main' })
    const main = page.getByRole('main')
    const section = (name: string) =>
      main.locator('section', { has: page.getByRole('heading', { level: 2, name, exact: true }) })
    const due = section('Due').getByRole('link')
    await due.first().waitFor()
    await expect
      .poll(async () => (await due.allInnerTexts()).map((each) => each.split('\n').join(' ')))
      .toEqual([expect.stringMatching(/Late.*3 days ago/), expect.stringMatching(/Soon.*in 2 days/)])
    await section('Waits for a decision').getByText('Night shift').waitFor()
    const lately = section('Lately')
    await lately.getByText('Set Task.status 4 times').waitFor()
    await lately.getByText('Created 4 items with Task').waitFor()
    await section('Pinned').getByRole('link', { name: 'Late' }).waitFor()
    await side.locator('[data-reorder]').getByRole('link', { name: 'Late' }).waitFor()
    // What is pinned stands there once.
    await side.getByRole('link', { name: 'Soon' }).waitFor()
    expect(await side.getByRole('link', { name: 'Late', exact: true }).count()).toBe(1)
    await picture(page, 'home-news')
    await axe()
    await lately.getByText('In 4 parts').first().click()
    await due.first().click()
    await page.getByRole('heading', { level: 1, name: 'Late' }).waitFor()
  })

  flow(
    'begins without the service by saying what waits, and goes on once it is back',
    async ({ page, signIn, axe, service }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 1)
      // Headless Chromium installs nothing: the page is told that it is.
      await page.addInitScript(() => {
        const ask = matchMedia.bind(globalThis)
        const asked = (query: string) => ask(query === '(display-mode: standalone)' ? 'all' : query)
        Object.assign(globalThis, { matchMedia: asked })
      })
      await page.goto(`/tags/${task}`)
      await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
      await expect.poll(() => page.evaluate(() => caches.keys())).toHaveLength(1)
      await page.route('**/api/**', (route) => route.abort('connectionrefused'))
      const heading = page.getByRole('columnheader', { name: 'effort' })
      const at = Number(await heading.getAttribute('aria-colindex')) - 2
      await page.locator(`[data-cell="0:${at}"]`).click()
      await page.keyboard.type('7')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText('(1 waits)').waitFor()
      await page.unroute('**/api/**')
      await page.context().setOffline(true)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Facet does not answer' }).waitFor()
      await page.getByText('effort of Water the plants 1').waitFor()
      await picture(page, 'offline')
      await axe()
      await page.getByRole('button', { name: 'Look again' }).click()
      await page.getByText('It does not answer yet.').waitFor()
      await page.context().setOffline(false)
      // By itself, where one was; what waited is sent.
      await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
      const valueOf = async () =>
        (await client.ok('POST', '/api/items/search', { filter: { 'Task.effort': 7 } })).length
      await expect.poll(valueOf).toBe(1)
      // Nothing of it is left for who signs out.
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByLabel('E-mail').waitFor()
      const kept = () =>
        page.evaluate(async () => [
          (await navigator.serviceWorker.getRegistrations()).length,
          (await caches.keys()).length,
        ])
      await expect.poll(kept).toEqual([0, 0])

      // Nor for who deletes the account.
      await page.reload()
      await service.user('leaves@example.org', 'correct horse')
      await page.getByLabel('E-mail').fill('leaves@example.org')
      await page.getByLabel('Password').fill('correct horse')
      await page.keyboard.press('Enter')
      await expect.poll(kept).toEqual([1, 1])
      await page.goto('/settings/account')
      await page.getByRole('button', { name: 'Delete my account…' }).click()
      await page.getByRole('dialog').getByLabel('Your password').fill('correct horse')
      await page.getByRole('button', { name: 'Delete it for good' }).click()
      await page.getByLabel('E-mail').waitFor()
      await expect.poll(kept).toEqual([0, 0])
    },
    { expected: [400, 401, 503, 'net::ERR_CONNECTION_REFUSED', 'net::ERR_INTERNET_DISCONNECTED'] },
  )

  flow(
    'takes what other applications share, once it is installed',
    async ({ page, signIn, axe, service }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 1)
      await page.goto('/')
      await page.getByRole('heading', { level: 1, name: /Hello/ }).waitFor()
      // As the browser that would install it reads it.
      const session = await page.context().newCDPSession(page)
      const { errors, data } = await session.send('Page.getAppManifest')
      expect(errors).toEqual([])
      const { icons, share_target } = JSON.parse(data!)
      for (const { src, type } of icons) {
        const icon = await fetch(new URL(src, service.url))
        expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type])
      }
      const size = await page.evaluate(async () => {
        const image = new Image()
        image.src = '/icon-192.png'
        await image.decode()
        return [image.naturalWidth, image.naturalHeight]
      })
      expect(size).toEqual([192, 192])

      const shared = new URLSearchParams({
        title: 'A ladder',
        text: 'Seen at https://shop.example/ladder?a=1&b=2',
      })
      await page.goto(`${share_target.action}?${shared}`)
      const name = page.getByLabel('Name', { exact: true })
      await focused(name)
      expect(await name.inputValue()).toBe('A ladder')
      await page.getByRole('region', { name: 'Description' }).getByRole('link').waitFor()
      await picture(page, 'new-shared')
      await axe()
      await choose(page.getByLabel('Tag', { exact: true }), 'Task')
      await page.getByRole('button', { name: 'Make the item' }).click()
      await page.getByRole('heading', { level: 1, name: 'A ladder' }).waitFor()
      const item = await client.ok('GET', new URL(page.url()).pathname.replace('/items', '/api/items'))
      expect(Object.keys(item.data)).toEqual([task])
      expect(item.description).toBe(
        '<p>Seen at</p>\n<p><a href="https://shop.example/ladder?a=1&amp;b=2">https://shop.example/ladder?a=1&amp;b=2</a></p>',
      )
      // The next one is of the same kind, and needs a name.
      await page.goto('/new')
      await focused(name)
      await page.getByLabel('Tag', { exact: true }).getByText('Task').waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('An item needs a name').waitFor()
    },
  )
})
