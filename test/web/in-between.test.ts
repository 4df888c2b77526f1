import type { Page, Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { cellAt } from '#test/web/support/cell.ts'
import { lookAt } from '#test/support/imports.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { typeInto } from '#test/web/support/type-into.ts'

const HTML = { contentType: 'text/html', body: '<title>Sign in to this network</title>' }
const signInFirst = (route: Route) => route.fulfill({ status: 200, ...HTML })
const badGateway = (route: Route) => route.fulfill({ status: 502, ...HTML })

/** An answer whose connection breaks before its end. */
const cutOff = async (route: Route) => {
  const response = await route.fetch()
  const text = await response.text()
  await route.fulfill({ response, body: text.slice(0, text.length / 2) })
}

const gone = (page: Page) => page.getByRole('alert').filter({ hasText: 'does not answer' })

describe('what is between a browser and the service', () => {
  flow(
    'is waited for where it answers in its own words, and what was typed is sent then',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 3)
      const effort = async () =>
        (await client.ok('GET', `/api/items/${ids[0]}`)).data[task].field_values.effort
      for (const [i, answer] of [signInFirst, badGateway].entries()) {
        await page.goto(`/tags/${task}?s=created_at`)
        await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
        await page.route('**/api/**', answer)
        await (await cellAt(page, 0, 'effort')).click()
        await page.keyboard.type(`4${i}`)
        await page.keyboard.press('Enter')
        await gone(page).getByText('(1 waits)').waitFor()
        await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
        await page.waitForURL('/trash')
        await page.waitForTimeout(1000) // polls meanwhile
        expect(await page.getByText(/status 502|Cannot read/).count()).toBe(0)
        await page.unroute('**/api/**')
        await gone(page).waitFor({ state: 'detached' })
        await expect.poll(effort).toBe(40 + i)
        await page.getByText('Nothing deleted').waitFor()
      }
    },
    { expected: [404, 502] },
  )

  flow(
    'is waited for at the start, and told what does not come through',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 2)
      let asked = 0
      await page.route('**/api/service', (route) => (asked++ ? route.fallback() : route.abort()))
      await page.goto('/new?title=Ladder')
      await page.getByRole('button', { name: 'Make the item' }).waitFor()
      expect(asked).toBeGreaterThan(1)
      // The service answers all else: this alone is refused on its way, again and again.
      let sent = 0
      await page.route('**/api/items', (route) => (sent++, route.abort()))
      await page.getByRole('button', { name: 'Make the item' }).click()
      await page.getByRole('main').getByText('The service does not answer.').waitFor()
      expect(sent).toBe(10)
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ladder')
      await page.unroute('**/api/items')
      // What a dialog waits for fails at once, and can be left.
      page.once('dialog', (dialog) => void dialog.accept())
      await page.goto(`/tags/${task}?bulk=delete`)
      const remove = page.getByRole('dialog', { name: 'Delete 2 items' })
      await page.route('**/api/items/bulk-delete', (route) =>
        route.request().postDataJSON().dry_run ? route.fallback() : route.abort(),
      )
      await page.getByLabel('Type 2 to go on').fill('2')
      await remove.getByRole('button', { name: 'Delete 2 items' }).click()
      await remove.getByText('The service does not answer.').waitFor()
      await remove.getByRole('button', { name: 'Cancel' }).click()
      await remove.waitFor({ state: 'detached' })
      expect(await client.ok('POST', '/api/items/search', { filter: { has_tag: task } })).toHaveLength(2)
    },
    { expected: [404, 'net::ERR_FAILED'] },
  )

  flow('may cut an answer off: it is asked for again, a few times', async ({ page, signIn }) => {
    const client = await signIn()
    const { task, ids } = await makeTasks(client, 3)
    const cut = new Map<string, number>()
    const until = (most: number) => async (route: Route) => {
      const key = `${route.request().method()} ${route.request().url()}`
      const times = (cut.get(key) ?? 0) + 1
      if (times > most || key.includes('stream') || key.includes('/health')) return route.fallback()
      cut.set(key, times)
      return cutOff(route)
    }
    await page.route('**/api/**', until(1))
    await page.goto(`/tags/${task}?s=created_at`)
    await page.getByRole('row', { name: /Water the plants 1/ }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' }) // of answers that are still under way
    // Where it is cut off each time, it is said.
    let times = 0
    await page.route(`**/api/items/${ids[0]}*`, (route) => (times++, cutOff(route)))
    await page.goto(`/items/${ids[0]}`)
    await page.getByRole('main').getByText('The service does not answer.').waitFor()
    await expect.poll(() => times).toBeGreaterThanOrEqual(3)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  flow(
    'is not taken for the want of an import, a proposal, a change or an item',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { ids } = await makeTasks(client, 1)
      const given = { operations: [{ operation: 'deleteItem', input: { item_id: ids[0] } }] }
      const { proposal_id } = (await client.post('/api/proposals', given)).body
      const [{ change_id }] = await client.ok('POST', '/api/changes/search', { limit: 1 })
      const { body: begun } = await lookAt(client, 'Some.csv', 'name\nMilk')
      const busy = {
        status: 503,
        json: { error: 'ServiceUnavailable', message: 'It took too long: nothing was read' },
      }
      // Of a proxy that has no service behind it at the moment.
      const notThere = { status: 404, contentType: 'text/plain', body: '404 page not found' }
      for (const [what, address, route] of [
        ['import', `/import/${begun.import_id}`, `**/api/imports/${begun.import_id}`],
        ['proposal', `/proposals/${proposal_id}`, `**/api/proposals/${proposal_id}*`],
        ['change', `/history/${change_id}`, '**/api/changes/search'],
        ['item', `/items/${ids[0]}`, `**/api/items/${ids[0]}?*`],
      ] as const) {
        for (const answer of [busy, notThere]) {
          await page.route(route, (asked) => asked.fulfill(answer))
          await page.goto(address)
          await page.getByRole('heading', { level: 1, name: `This ${what} cannot be shown` }).waitFor()
          if (answer === busy) await page.getByText(busy.json.message).first().waitFor()
          await axe()
          await page.unroute(route)
        }
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('heading', { level: 1, name: 'cannot be shown' }).waitFor({ state: 'detached' })
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.goto(address.replace(/.$/, (last) => (last === '0' ? '1' : '0')))
        await page.getByRole('heading', { level: 1, name: `There is no such ${what}` }).waitFor()
      }
    },
    { expected: [404, 503] },
  )

  flow(
    'may leave out what a page cannot do without: that is said in plain words, and the other pages are there',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { ids } = await makeTasks(client, 3)
      const alter = async (route: Route) => {
        const response = await route.fetch()
        const { data: _, ...rest } = (await response.json()) as Record<string, unknown>
        await route.fulfill({ response, json: rest })
      }
      await page.route(`**/api/items/${ids[0]}*`, alter)
      await page.goto(`/items/${ids[0]}`)
      await page.getByRole('heading', { name: 'This page has failed' }).waitFor()
      await page.getByText('What you have saved is safe.').waitFor()
      const report = page.getByText(/undefined/)
      expect(await report.isVisible()).toBe(false)
      await page.getByText('For a report of the fault').click()
      await expect.poll(() => report.isVisible()).toBe(true)
      await picture(page, 'page-failed', { widths: ['wide', 'phone'] })
      await axe()
      await page.getByRole('navigation').getByRole('link', { name: 'Trash', exact: true }).click()
      await page.getByText('Nothing deleted').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
    { provoked: /^uncaught: |^console: / },
  )

  flow(
    'makes no write of what has no answer',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 2)
      const messages = page.getByRole('region', { name: 'Messages' })
      for (const answer of [signInFirst, badGateway]) {
        await page.goto(`/tags/${task}`)
        await page.getByRole('row', { name: /Mend the roof 2/ }).waitFor()
        await page.keyboard.press('c')
        const name = page.getByLabel('Name of the new item')
        await typeInto(name, 'Milk')
        await page.route('**/api/items', answer)
        await name.press('Enter')
        await page.getByText('The service does not answer').first().waitFor()
        await expect.poll(() => name.inputValue()).toBe('Milk')
        await page.unroute('**/api/items')
        await page.goto(`/items/${ids[0]}`)
        await page.route('**/api/items/*', (route) =>
          route.request().method() === 'DELETE' ? answer(route) : route.fallback(),
        )
        await page.getByRole('button', { name: 'Delete' }).click()
        await messages.getByText('The service does not answer').waitFor()
        expect(await messages.getByText(/^Deleted/).count()).toBe(0)
        await page.unroute('**/api/items/*')
        await page.goto('/import')
        await page.route('**/api/files?**', answer)
        const file = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nMilk\n') }
        await page.locator('input[type=file]').setInputFiles(file)
        await page.getByRole('main').getByText('The service does not answer').waitFor()
        await page.unroute('**/api/files?**')
      }
      expect((await client.ok('GET', `/api/items/${ids[0]}`)).item_id).toBe(ids[0])
    },
    { expected: [404, 502] },
  )
})
