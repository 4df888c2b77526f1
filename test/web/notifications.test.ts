import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

describe('the bell', () => {
  flow(
    'counts what others do in a watched view as it happens; a list by keys; mute',
    async ({ page, signIn, open, axe, service }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 4)
      const { view_id } = await client.ok('POST', '/api/views', {
        name: 'Everything to do',
        filter: { has_tag: 'Task' },
        shared: true,
      })
      const other = await service.user()
      const bell = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: /^Notifications/ })
      const label = () => bell.getAttribute('aria-label')
      let streams = 0
      page.on('request', (request) => {
        if (/\/stream/.test(request.url())) streams++
      })

      await page.goto('/notifications')
      await page.getByRole('heading', { name: 'Nothing new' }).waitFor()
      await picture(page, 'notifications-none')
      await axe()

      await page.goto(`/views/${view_id}`)
      await page.getByRole('button', { name: 'View', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Watch' }).click()
      await page.getByText('You are notified of what comes into Everything to do').first().waitFor()
      await page.getByRole('button', { name: 'View', exact: true }).click()
      const leaves = page.getByRole('menuitemcheckbox', { name: 'Tell me what leaves' })
      await leaves.click()
      await expect.poll(() => leaves.getAttribute('aria-checked')).toBe('true')
      await picture(page, 'view-menu', { widths: ['wide', 'phone'] })
      await page.keyboard.press('Escape')
      const kept = await client.ok('GET', `/api/views/${view_id}`)
      expect(kept.watch).toEqual({ enter: true, change: false, leave: true })
      expect(await label()).toBe('Notifications')

      // Live, by the one stream that is there anyway, and in no other way.
      const { item_id } = await other.ok('POST', '/api/items', {
        name: 'Feed\u202E the cat',
        tags: [{ tag_ref: { Existing: task } }],
      })
      await expect.poll(label).toBe('Notifications, 1 unread')
      await other.ok('DELETE', `/api/items/${ids[0]}`)
      await expect.poll(label).toBe('Notifications, 2 unread')
      const operations = [{ operation: 'createItem', input: { name: 'Proposed' } }]
      await other.post('/api/proposals', { operations })
      await expect.poll(label).toBe('Notifications, 3 unread')
      expect(streams).toBe(2) // one a page that was opened

      await page.keyboard.press('g')
      await page.keyboard.press('n')
      const list = page.getByRole('list', { name: 'Notifications', exact: true })
      const lines = list.getByRole('listitem')
      await expect.poll(() => lines.count()).toBe(3)
      await list.getByText('Feed the cat came into Everything to do').waitFor()
      await list.getByText('Water the plants 1 left Everything to do').waitFor()
      await list.getByText("A change is proposed: Create item 'Proposed'").waitFor()
      await picture(page, 'notifications')
      await axe()

      // By keys: down, mark as read; up again, open.
      const here = () => page.evaluate(() => document.activeElement?.textContent)
      await page.keyboard.press('j')
      expect(await here()).toBe("A change is proposed: Create item 'Proposed'")
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('m')
      await expect.poll(label).toBe('Notifications, 2 unread')
      expect(await lines.nth(1).getByText('not read').count()).toBe(0)
      await page.keyboard.press('ArrowDown')
      expect(await here()).toContain('Feed the cat')
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/items/${item_id}`)
      await expect.poll(label).toBe('Notifications, 1 unread')

      const phone = await open({ viewport: { width: 360, height: 640 } })
      await phone.context().addCookies(await page.context().cookies())
      await phone.goto('/')
      await phone.getByRole('link', { name: 'News, 1 unread' }).click()
      await phone.getByText('A change is proposed').waitFor()
      await phone.getByRole('button', { name: 'Mark all as read' }).click()
      await expect.poll(label).toBe('Notifications')
      await phone.getByRole('button', { name: 'Mute' }).click()
      await phone.getByText('You get no more notifications of Everything to do').first().waitFor()
      await expect
        .poll(async () => (await client.ok('GET', `/api/views/${view_id}`)).watch)
        .toEqual({ enter: false, change: false, leave: false })
    },
  )

  flow('rings for nobody else whose session the cookie has become', async ({ page, signIn, open }) => {
    const client = await signIn()
    await page.goto('/')
    const bell = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notifications/ })
    await bell.waitFor()
    const theirs = await open()
    const other = await signIn(theirs)
    const { task } = await makeTasks(client, 1)
    const { view_id } = await other.ok('POST', '/api/views', { name: 'Theirs', filter: { has_tag: 'Task' } })
    await other.ok('PUT', `/api/views/${view_id}/watch`, { enter: true })
    await client.ok('POST', '/api/items', { name: 'For them', tags: [{ tag_ref: { Existing: task } }] })
    const unread = async () => (await other.get('/api/notifications')).headers.get('x-unread-count')
    await expect.poll(unread).toBe('1')

    // Another tab has signed in, and what the page listened to ends: it comes back with the cookie of them.
    await page.context().addCookies(await theirs.context().cookies())
    const again = page.waitForResponse((answer) => answer.url().includes('/api/changes/stream'))
    await client.ok('POST', '/api/auth/logout')
    expect((await again).status()).toBe(401)
    expect(await bell.getAttribute('aria-label')).toBe('Notifications')
  })
})
