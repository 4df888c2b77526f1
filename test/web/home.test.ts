import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'

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
    await picture(page, 'home-since', { widths: ['wide', 'phone'] })
  })
})
