import { Buffer } from 'node:buffer'
import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** Loads an address as a program, a module and a worker of the page: what became of each, and whether any ran. A text, so that nothing rewrites its import. */
const TRY = `async (src) => {
  const script = Object.assign(document.createElement('script'), { src })
  const asScript = new Promise((resolve) => {
    script.onload = () => resolve('ran')
    script.onerror = () => resolve('refused')
  })
  document.head.append(script)
  const asModule = import(src).then(() => 'ran', () => 'refused')
  const asWorker = new Promise((resolve) => {
    const worker = new Worker(src)
    worker.onmessage = () => resolve('ran')
    worker.onerror = () => resolve('refused')
  })
  return [...(await Promise.all([asScript, asModule, asWorker])), 'ran' in globalThis]
}`

describe('files', () => {
  flow('are added to an item, named, put in order and shown in its text', async ({ page, signIn }) => {
    const client = await signIn()
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Document', fields: { files: 'File' } })
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'The plan',
      description: '<p>See: </p>',
      tags: [{ tag_ref: { Existing: tag_id }, field_values: {} }],
    })
    const stored = async () => {
      const { data } = await client.ok('GET', `/api/items/${item_id}`)
      return (data[tag_id].field_values.files ?? []).map(({ name }: { name: string }) => name)
    }
    await page.goto(`/items/${item_id}`)
    await page.getByRole('button', { name: /^files/ }).click()
    const editor = page.getByRole('group', { name: 'files of The plan' })
    await editor.locator('input[type=file]').setInputFiles([
      { name: 'roof.png', mimeType: 'image/png', buffer: PNG },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('nails') },
    ])
    await editor.getByRole('textbox').nth(1).waitFor()
    const names = editor.getByRole('textbox')
    if ((await names.nth(0).inputValue()) === 'roof.png')
      await editor.getByRole('button', { name: 'Move roof.png down' }).click()
    await names.nth(0).fill('list.txt')
    await editor.getByRole('button', { name: 'Done' }).click()
    await expect.poll(stored).toEqual(['list.txt', 'roof.png'])
    const shown = page.getByRole('list', { name: 'Files of files' })
    await expect
      .poll(() => shown.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBe(1)
    const opened = page.waitForEvent('popup')
    await shown.getByRole('link', { name: /list.txt/ }).click()
    const tab = await opened
    await expect.poll(() => tab.locator('body').innerText()).toBe('nails')
    await tab.close()

    // A picture that is pasted into the description.
    await page.getByRole('button', { name: 'Edit description' }).click()
    const text = page.getByRole('textbox', { name: 'Description', exact: true })
    await text.waitFor()
    await text.evaluate((element, bytes) => {
      const data = new DataTransfer()
      const file = new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], 'pasted.png', {
        type: 'image/png',
      })
      data.items.add(file)
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, PNG.toString('base64'))
    await text.locator('img[alt="pasted.png"]').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await client.ok('GET', `/api/items/${item_id}`)).description)
      .toMatch(/<img src="\/api\/files\/\w{26}" alt="pasted.png">/)
    await expect
      .poll(() => page.locator('img[alt="pasted.png"]').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBe(1)

    // In a table: dropped on a cell.
    await page.goto(`/tags/${tag_id}`)
    const cell = page.getByRole('gridcell').filter({ hasText: 'list.txt' })
    await cell.waitFor()
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['more'], 'more.txt', { type: 'text/plain' }))
      return data
    })
    await cell.dispatchEvent('drop', { dataTransfer: dropped })
    const over = page.getByRole('group', { name: /files of The plan/ })
    await over.getByRole('textbox').nth(2).waitFor()
    await over.getByRole('button', { name: 'Take roof.png away' }).click()
    await over.getByRole('button', { name: 'Done' }).click()
    await expect.poll(stored).toEqual(['list.txt', 'more.txt'])
  })

  flow(
    'say what did not arrive, send it again and are stopped, by keys alone',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Document', fields: { files: 'File' } })
      const { item_id } = await client.ok('POST', '/api/items', {
        name: 'The plan',
        tags: [{ tag_ref: { Existing: tag_id }, field_values: {} }],
      })
      const stored = async () => {
        const { data } = await client.ok('GET', `/api/items/${item_id}`)
        return (data[tag_id].field_values.files ?? []).map(({ name }: { name: string }) => name)
      }
      const text = (name: string, size = 5) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.alloc(size, 'x'),
      })
      await page.goto(`/items/${item_id}`)
      await page.getByRole('button', { name: /^files/ }).focus()
      await page.keyboard.press('Enter')
      const editor = page.getByRole('group', { name: 'files of The plan' })
      const picker = editor.locator('input[type=file]')
      const done = editor.getByRole('button', { name: 'Done' })
      await editor.waitFor()
      // One is larger than may be: the other arrives.
      await picker.setInputFiles([text('large.txt', 3_000_000), text('a.txt')])
      await page
        .getByText(/large.txt was not sent: .*1,?048,?576 bytes|large.txt was not sent: .*1 MiB/)
        .waitFor()
      await editor.getByRole('textbox').first().waitFor()
      // A connection that breaks, of two: both are named.
      await page.route('**/api/files?*', (route) => route.abort())
      await picker.setInputFiles([text('b.txt'), text('c.txt')])
      await page.getByText('b.txt was not sent').waitFor()
      await page.getByText('c.txt was not sent').waitFor()
      await axe()
      // Pressing elsewhere loses nothing.
      await page.getByRole('heading', { level: 1 }).click()
      await page.getByText('Send again what was not sent').waitFor()
      await page.unroute('**/api/files?*')
      for (const name of ['b.txt', 'c.txt']) {
        await editor.getByRole('button', { name: `Send ${name} again` }).focus()
        await page.keyboard.press('Enter')
        await expect.poll(() => page.getByText(`${name} was not sent`).count()).toBe(0)
      }
      await expect.poll(() => editor.getByRole('textbox').count()).toBe(3)
      // One that does not come to its end is stopped.
      await page.route('**/api/files?*', () => undefined)
      await picker.setInputFiles([text('endless.txt')])
      await editor.getByRole('status').getByText('Sending endless.txt').waitFor()
      await page.getByRole('heading', { level: 1 }).click()
      await page.getByText('Wait until all files have been sent, or stop them').waitFor()
      expect(await done.isDisabled()).toBe(true)
      await editor.getByRole('button', { name: 'Stop sending endless.txt' }).focus()
      await page.keyboard.press('Enter')
      await editor.getByRole('status').waitFor({ state: 'detached' })
      expect(await page.getByText('Wait until all files').count()).toBe(0)
      await page.unroute('**/api/files?*')
      // In order by keys, where the button stays under them.
      const order = () =>
        editor.getByRole('textbox').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))
      const before = await order()
      const last = before.at(-1)!
      await editor.getByRole('button', { name: `Move ${last} up` }).focus()
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
        `Move ${last} up`,
      )
      await page.keyboard.press('Enter')
      await expect.poll(order).toEqual([last, ...before.slice(0, -1)])
      await done.focus()
      await page.keyboard.press('Enter')
      await expect.poll(stored).toEqual([last, ...before.slice(0, -1)])
    },
    {
      env: { FILE_LIMIT: '1 MiB' },
      expected: [400, 401, 403, 404, 409, 412, 413, 429, 'net::ERR_FAILED', 'net::ERR_CONNECTION_RESET'],
    },
  )

  flow(
    'say how far they are in a text, and are stopped or sent again there',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { item_id } = await client.ok('POST', '/api/items', {
        name: 'The plan',
        description: '<p>See</p>',
      })
      const description = async () => (await client.ok('GET', `/api/items/${item_id}`)).description as string
      await page.goto(`/items/${item_id}`)
      await page.getByRole('button', { name: 'Edit description' }).click()
      const text = page.getByRole('textbox', { name: 'Description', exact: true })
      await text.waitFor()
      const paste = (name: string, size: number) =>
        text.evaluate(
          (element, [called, length]) => {
            const data = new DataTransfer()
            data.items.add(new File(['x'.repeat(length)], called, { type: 'text/plain' }))
            const options = { clipboardData: data, bubbles: true, cancelable: true }
            element.dispatchEvent(new ClipboardEvent('paste', options))
          },
          [name, size] as const,
        )
      const done = page.getByRole('button', { name: 'Done', exact: true })
      // One that takes its time: how much of it has gone, and a way to go on without it.
      const network = await page.context().newCDPSession(page)
      const atMost = (bytes: number) =>
        network.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput: bytes,
        })
      await network.send('Network.enable')
      await atMost(300_000)
      await paste('slow.txt', 6_000_000)
      const bar = page.getByRole('progressbar', { name: 'Sent of slow.txt' })
      await expect.poll(() => bar.evaluate((each: HTMLProgressElement) => each.value)).toBeGreaterThan(0)
      await axe()
      await done.click()
      await page.getByText('Done as soon as all files have been sent, or stopped').waitFor()
      await page.getByRole('button', { name: 'Stop sending slow.txt' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Edit description' }).waitFor()
      expect(await description()).not.toContain('slow.txt')
      await atMost(-1)
      // One that does not arrive, while one wanted to go on with it: nothing is closed over it.
      await page.getByRole('button', { name: 'Edit description' }).click()
      await text.waitFor()
      const { promise: broken, resolve: breakOff } = Promise.withResolvers<void>()
      await page.route('**/api/files?*', (route) => broken.then(() => route.abort()))
      await paste('lost.txt', 10)
      await page.getByText('Sending lost.txt …', { exact: true }).first().waitFor()
      await page.keyboard.press('Control+Enter')
      await page.getByText('Done as soon as all files have been sent, or stopped').waitFor()
      breakOff()
      await page.getByText('lost.txt was not sent').waitFor()
      await axe()
      await page.unroute('**/api/files?*')
      await page.getByRole('button', { name: 'Send lost.txt again' }).focus()
      await page.keyboard.press('Enter')
      await text.getByText('lost.txt').waitFor()
      await done.click()
      await expect.poll(description).toContain('>lost.txt</a>')
    },
    { expected: ['net::ERR_FAILED'] },
  )

  flow('are shown after a sign-in, and where they are gone that is said', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const sent = await client.exchange('POST', '/api/files?name=plan.txt', { body: Buffer.from('the plan') })
    const address = `/api/files/${JSON.parse(sent.text).file_id}`
    const { email } = await client.ok('GET', '/api/auth/me')
    await page.context().clearCookies()
    await page.goto(address)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('correct horse')
    await page.keyboard.press('Enter')
    await page.getByText('the plan').waitFor()
    expect(new URL(page.url()).pathname).toBe(address)
    await page.goto('/api/files/01JJXZ5T7GQ3M8K4B9R2C6D0EF')
    await page.getByRole('heading', { name: 'There is no such file' }).waitFor()
    await axe()
    await page.getByRole('link', { name: 'Go home' }).click()
    await page.waitForURL('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  flow(
    'run nothing in this origin, whatever they are called and however they begin',
    async ({ page, open, signIn }) => {
      const client = await signIn()
      // The policy of the application refuses all of them: what protects without it is what the files are served as.
      const bare = await open({ bypassCSP: true })
      await signIn(bare)
      await bare.goto('/settings/account')
      const run = "globalThis.ran=1;document.documentElement.dataset.ran='1'"
      const hostile = {
        'page.html': `<!doctype html><script>${run}</script>`,
        'sign.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script>${run}</script></svg>`,
        'program.js': run,
        'picture.gif': `GIF89a/*<script>${run}</script>*/=1;${run}`,
        'paper.pdf': `%PDF-1.4\n<script>${run}</script>\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(${run})>>>>endobj\ntrailer<</Root 1 0 R>>`,
        'notes.txt': `<body onload="${run}"><script>${run}</script>`,
      }
      for (const [name, content] of Object.entries(hostile)) {
        const sent = await client.exchange('POST', `/api/files?name=${name}`, { body: Buffer.from(content) })
        const address = `/api/files/${JSON.parse(sent.text).file_id}`
        const loaded = (await bare.evaluate(`(${TRY})(${JSON.stringify(address)})`)) as string[]
        expect([name, ...loaded]).toEqual([name, 'refused', 'refused', 'refused', false])
        // And as a page of its own, where it is shown at all.
        const isShown = await page.goto(address).then(
          () => true,
          (error: Error) => !error.message.includes('Download'),
        )
        if (isShown) expect([name, await page.evaluate(() => 'ran' in globalThis)]).toEqual([name, false])
      }
      await page.goto('/settings/account')
      await page.locator('h1').waitFor()
    },
    { provoked: /^policy: |console: |net::ERR_ABORTED|uncaught: / },
  )
})
