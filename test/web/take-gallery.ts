// Every page in every state, in both themes, at 360, 820, 1,280 and 1,920 pixels and at 200 %, to be looked at:
// `PICTURES=/tmp/gallery npm run gallery [names as a regular expression]`. Nothing of it is kept in the repository.
import { choose } from '#test/web/support/choose.ts'
import { launchChromium } from '#test/support/chromium.ts'
import { startModelProvider } from '#test/support/model-provider.ts'
import { startService } from '#test/support/service.ts'
import { makeCrowd } from '#test/web/support/crowd.ts'
import { picture } from '#test/web/support/pictures.ts'

if (!process.env['PICTURES']) throw new Error('PICTURES names the folder that the pictures go to')
const wanted = new RegExp(process.argv[2] ?? '')
const EMAIL = 'ada@example.org'
const PASSWORD = 'correct horse'

const provider = await startModelProvider()
const service = await startService({
  env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: provider.url },
})
const client = service.client()
await client.ok('POST', '/api/auth/register', { email: EMAIL, password: PASSWORD, display_name: 'Ada' })
const browser = await launchChromium()
const page = await browser.newPage({
  baseURL: service.url.replace('127.0.0.1', 'localhost'),
  viewport: { width: 1360, height: 860 },
  locale: 'en-GB',
  reducedMotion: 'reduce',
})
page.setDefaultTimeout(30_000)

async function show(name: string, steps?: () => Promise<unknown>): Promise<void> {
  if (!wanted.test(name)) return
  try {
    await steps?.()
    await page.waitForTimeout(400)
    await picture(page, name, { widths: ['desk', 'full', 'tablet', 'small', 'double'] })
    process.stdout.write(`${name}\n`)
  } catch (error) {
    process.stdout.write(`${name}: ${(error as Error).message.split('\n', 3).join(' ')}\n`)
  }
}
const open = (path: string) => async () => {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
}
const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
const pages = async (when: string, paths: Readonly<Record<string, string>>) => {
  for (const [name, path] of Object.entries(paths)) await show(`${when}-${name}`, open(path))
}

try {
  await pages('out', { 'sign-in': '/sign-in', register: '/register', invite: '/invite/abc' })
  await show('out-sign-in-fault', async () => {
    await open('/sign-in')()
    await page.getByLabel('E-mail').fill(EMAIL)
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').first().waitFor()
  })
  await open('/sign-in')()
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await button('Fill it with demo data').waitFor()
  const around = {
    tags: '/tags',
    views: '/views',
    trash: '/trash',
    history: '/history',
    notifications: '/notifications',
    proposals: '/proposals',
    chat: '/chat',
    items: '/items',
  }
  await pages('empty', { home: '/', ...around, import: '/import', 'new-tag': '/tags/new' })

  await open('/')()
  await button('Fill it with demo data').click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor() // templates have links of the same names
  const link = page.getByRole('main').getByRole('link', { name: /^Task/ })
  await link.waitFor()
  await show('full-home-toast')
  const task = (await link.getAttribute('href'))!
  const tag_id = task.split('/').at(-1)!
  const items: { item_id: string; name: string }[] = await client.ok('POST', '/api/items/search', {
    filter: { has_tag: 'Task' },
  })
  const one = items.find(({ name }) => name === 'Put up the antenna')!.item_id
  await client.ok('PUT', `/api/items/${one}`, {
    description:
      '<h2>Before</h2><p>Ask <strong>Hedy</strong> for the <a href="https://example.org">plan</a>, and <em>twice</em> for the height.</p><ul><li>Rope</li><li>Two ladders</li></ul><pre><code>mast = 12 m</code></pre>',
  })
  await client.ok('PUT', `/api/items/${one}/tags/${tag_id}`, { field_values: { effort: 12 }, merge: true })
  for (const { item_id } of items.slice(0, 2)) await client.ok('DELETE', `/api/items/${item_id}`)
  const { view_id } = await client.ok('POST', '/api/views', {
    name: 'Open, by project',
    filter: { 'Task.status': 'open' },
    settings: { group: 'Task.project' },
  })
  await client.ok('POST', '/api/keys', { name: 'Night shift', scope: 'read' })
  await client.ok('POST', '/api/webhooks', {
    url: 'https://example.org/hook',
    description: 'Tell the others',
  })
  await client.ok('POST', '/api/invitations', { email: 'grace@example.org', role: 'editor' })
  const [change] = await client.ok('POST', '/api/changes/search', { limit: 1 })
  await pages('full', { home: '/', ...around })
  await pages('full', {
    table: task,
    view: `/views/${view_id}`,
    groups: `${task}?g=Task.status`,
    filtered: `${task}?f=${encodeURIComponent('{"and":[{"Task.status":"open"},{"Task.due":{"lt":{"today":30}}}]}')}`,
    beside: `${task}?item=${one}`,
    item: `/items/${one}`,
    schema: `${task}/schema`,
    change: `/history/${change.change_id}`,
    'import-tag': `/import?tag=${tag_id}`,
  })
  await pages(
    'settings',
    Object.fromEntries(
      ['account', 'security', 'appearance', 'agents', 'members', 'webhooks', 'log'].map((each) => [
        each,
        `/settings/${each}`,
      ]),
    ),
  )
  for (const [layout, more] of [
    ['board', `by=${tag_id}.status`],
    ['calendar', `by=${tag_id}.due`],
    ['gallery', ''],
  ] as const)
    await show(`layout-${layout}`, open(`${task}?l=${layout}&${more}`))
  const talk = await client.ok('POST', '/api/tags', {
    name: 'Talk',
    fields: { begins: 'DateTime', ends: 'DateTime' },
  })
  for (const [i, name] of ['Opening', 'Tour', 'Lunch', 'Panel', 'Party'].entries())
    await client.ok('POST', '/api/items', {
      name,
      tags: [
        {
          tag_ref: { Existing: talk.tag_id },
          field_values: {
            begins: `2027-03-1${i}T${String(8 + i).padStart(2, '0')}:00:00.000Z`,
            ends: `2027-03-1${i}T${10 + i}:30:00.000Z`,
          },
        },
      ],
    })
  await show(
    'layout-hours',
    open(
      `/tags/${talk.tag_id}?l=calendar&by=${talk.tag_id}.begins&until=${talk.tag_id}.ends&week=1&on=2027-03-10`,
    ),
  )
  await client.ok('POST', '/api/views', {
    name: 'Chore',
    filter: { and: [{ has_tag: tag_id }, { 'Task.status': { eq: 'open' } }] },
    settings: { template: { description: '<p>First</p>' } },
    shared: true,
  })
  await pages('full', { templates: '/views', new: '/new?title=Ladder&url=https://shop.example' })
  await show('template-new', async () => {
    await open(task)()
    await button('New from a template').click()
    await page.getByRole('menuitem', { name: 'Chore' }).click()
  })
  await show('template-save', async () => {
    await open(`/items/${one}`)()
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Save as a template…' }).click()
  })
  await show('offline', open('/offline'))
  await show('table-charts', async () => {
    await open(task)()
    await button('Charts and sums').click()
  })
  await show('table-new', async () => {
    await open(task)()
    await button('New item').click()
  })
  await show('table-filter-fields', async () => {
    await open(task)()
    await button('Filter').click()
  })
  await show('table-filter-tree', async () => {
    await open(
      `${task}?f=${encodeURIComponent('{"or":[{"Task.status":"open"},{"and":[{"Task.due":{"lt":{"today":30}}},{"Task.assignee->Person.team":{"contains":"Radio"}}]}]}')}`,
    )()
  })
  await show('table-selected', async () => {
    await open(task)()
    await page.locator('[data-cell="0:0"]').click()
    await page.keyboard.press('Control+a')
  })
  await show('table-bulk', async () => {
    await open(task)()
    await page.locator('[data-cell="0:0"]').click()
    await page.keyboard.press('Control+a')
    await button('Set field').click()
    await page.waitForTimeout(600)
  })
  await show('table-nothing', async () => {
    await open(`${task}?q=${encodeURIComponent('no such words')}`)()
  })
  await show('table-trouble', open(`${task}?f=${encodeURIComponent('{"Gone.field":"x"}')}`))
  await show('item-history', async () => {
    await open(`/items/${one}`)()
    await page.keyboard.press('h')
  })
  await show('item-edit', async () => {
    await open(`/items/${one}`)()
    await page.keyboard.press('e')
  })
  await show('item-deleted', open(`/items/${items[0]?.item_id}`))
  await show('item-none', open('/items/01JJXZ5T7GQ3M8K4B9R2C6D0EF'))
  await show('nowhere', open('/nowhere'))
  await show('palette', async () => {
    await open('/')()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('ta')
  })
  await show('keys', async () => {
    await open('/')()
    await page.keyboard.press('?')
  })
  await show('chat-answer', async () => {
    await open('/chat')()
    provider.say(
      {
        text: ['Let me **look**.'],
        calls: [{ name: 'get_items', arguments: { filter: { 'Task.status': 'open' } } }],
      },
      { text: ['Most of it is for the greenhouse:\n\n- Order seeds\n- Lay the water pipe'] },
    )
    await page.getByLabel('Message to the assistant').fill('What is open?')
    await page.keyboard.press('Enter')
    await page.getByText('Most of it').waitFor()
  })
  await show('chat-proposal', async () => {
    await client.ok('PUT', '/api/preferences', { assistant: 'propose' })
    await open('/chat')()
    const call = { name: 'edit_item', arguments: { item_id: one, name: 'Put up both antennas' } }
    provider.say({ calls: [call] }, { text: ['I have proposed it.'] })
    await page.getByLabel('Message to the assistant').fill('Both antennas')
    await page.keyboard.press('Enter')
    await button('Accept').waitFor()
  })
  await show('chat-panel', async () => {
    await open(task)()
    await page.keyboard.press('Control+j')
  })
  await show('import-mapped', async () => {
    await open(`/import?tag=${tag_id}`)()
    await page
      .getByLabel('or paste rows')
      .fill('name,due,status,assignee\nBuy paint,2027-03-01,open,Mary Anning\nPaint,soon,idea,Nobody')
    await button('Look at these rows').click()
    await button('See what it would do').click()
    await page.getByText(/left out/).waitFor()
  })
  await show('tag-preview', async () => {
    await open(`${task}/schema`)()
    await choose(page.getByLabel('Type of effort'), 'Date')
    await button('Save').click()
  })
  if (wanted.test('many') || wanted.test('one-')) {
    const { wide, pictures, single, item } = await makeCrowd(client)
    await pages('one', {
      table: `/tags/${single}`,
      board: `/tags/${single}?l=board`,
      calendar: `/tags/${single}?l=calendar`,
    })
    await pages('many', {
      home: '/',
      tags: '/tags',
      views: '/views',
      history: '/history',
      items: '/items',
      table: `/tags/${wide}`,
      groups: `/tags/${wide}?g=${wide}.status`,
      board: `/tags/${wide}?l=board`,
      calendar: `/tags/${wide}?l=calendar&by=${wide}.due`,
      hours: `/tags/${wide}?l=calendar&by=${wide}.begins&week=1`,
      pictures: `/tags/${pictures}?l=gallery`,
      item: `/items/${item}`,
      schema: `/tags/${wide}/schema`,
      proposals: '/proposals',
      notifications: '/notifications',
    })
    await show('many-charts', async () => {
      await open(`/tags/${wide}`)()
      await button('Charts and sums').click()
    })
    await show('many-filter', async () => {
      await open(`/tags/${wide}`)()
      await button('Filter').click()
    })
  }
  await show('trouble-gone', async () => {
    await open(task)()
    await page.route('**/api/**', (route) => route.abort('connectionrefused'))
    await page.getByRole('searchbox').fill('plants')
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor()
  })
  await page.unroute('**/api/**')
  await show('trouble-session', async () => {
    await open(task)()
    await page.context().clearCookies()
    await page.getByRole('searchbox').fill('ant')
    await page.getByRole('dialog').waitFor()
  })
} finally {
  await browser.close()
  await provider.close()
  await service.close()
}
