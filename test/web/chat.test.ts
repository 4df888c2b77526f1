import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'
import { focused, typeInto } from '#test/web/support/type-into.ts'

let provider: ModelProvider
const env = { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: '' }
beforeAll(async () => {
  provider = await startModelProvider()
  env.LLM_BASE_URL = provider.url
})
afterAll(() => provider.close())

const render = (js: string, css = '') => ({
  calls: [{ name: 'render_react', arguments: { title: 'Attempt', code: js, css } }],
})

describe('the assistant', () => {
  flow(
    'streams, shows its tools, is stopped, taken up earlier, renamed and deleted',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const { ids } = await makeTasks(client, 6)
      await page.goto('/chat')
      await page.getByRole('button', { name: 'Draw a chart of Task by status' }).waitFor()
      await picture(page, 'chat-new')
      await axe()
      const input = page.getByLabel('Message to the assistant')
      provider.say(
        {
          text: ['Let me **look**.'],
          calls: [{ name: 'get_items', arguments: { filter: { 'Task.status': 'open' } } }],
        },
        { text: ['There are', ' two:\n\n- one\n- two'] },
      )
      await input.fill('What is open?')
      await input.press('Enter')
      await page.getByText('2 found').waitFor()
      await page.getByRole('list', { name: 'Items' }).getByRole('link').first().waitFor()
      await page.getByText('There are two:').waitFor()
      await page.waitForURL(/\/chat\/\w{26}/)
      await picture(page, 'chat-tools')
      await axe()
      // What it names opens beside what was said.
      await page.getByRole('list', { name: 'Items' }).getByRole('link').first().click()
      const beside = page.getByRole('complementary', { name: 'Item' })
      await beside.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('There are two:').waitFor()
      await picture(page, 'chat-beside', { widths: ['wide'] })
      await axe()
      await beside.getByRole('button', { name: 'Close' }).click()
      await beside.waitFor({ state: 'detached' })
      await page.getByText('There are two:').waitFor()

      provider.say({ text: Array.from({ length: 200 }, (_, i) => `word${i} `), pause: 50 })
      await input.fill('Talk on')
      await input.press('Enter')
      await page.getByText('word3').waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'Send' }).waitFor()
      await page.getByText(/word3/).waitFor()

      await page.getByRole('button', { name: 'Go on from here' }).first().click()
      await expect.poll(() => page.getByText(/word3/).count()).toBe(0)
      const before = page.url()
      provider.say({ text: ['Another way.'] })
      await input.fill('And otherwise?')
      await input.press('Enter')
      await page.getByText('Another way.').waitFor()
      await expect.poll(() => page.url()).not.toBe(before)
      expect(await client.ok('GET', '/api/chats')).toHaveLength(2)

      // The one that is open is the newest.
      const chats = page.getByRole('navigation', { name: 'Chats' })
      await expect.poll(() => chats.getByRole('link').count()).toBe(2)
      await expect.poll(() => chats.getByRole('link').first().getAttribute('aria-current')).toBe('page')
      await chats
        .getByRole('button', { name: /^Rename/ })
        .first()
        .click()
      await page.getByLabel('Title').fill('Open things')
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
      await chats.getByRole('link', { name: 'Open things' }).waitFor()
      await page.getByRole('button', { name: 'Delete Open things' }).click()
      await page.getByRole('button', { name: 'Delete it for good' }).click()
      await page.waitForURL('/chat')
      await expect.poll(() => client.ok('GET', '/api/chats')).toHaveLength(1)

      await page.goto(`/items/${ids[0]}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      provider.say({ status: 400, message: 'Out of order' })
      await page.keyboard.press('Control+j')
      await page
        .getByRole('complementary', { name: 'Assistant' })
        .getByLabel('Message to the assistant')
        .fill('Are you there?')
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Assistant' }).getByRole('alert').waitFor()
      await picture(page, 'chat-panel', { widths: ['wide', 'phone'] })
    },
    { env },
  )

  flow(
    'takes what is typed at once, and leaves anyone alone who goes elsewhere',
    async ({ page, signIn }) => {
      const client = await signIn()
      await makeTasks(client, 1)
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      const { keyboard } = page
      provider.say({ text: Array.from({ length: 200 }, (_, i) => `word${i} `), pause: 50 })
      await keyboard.press('Control+j')
      await keyboard.type('cheques: which are won?')
      const panel = page.getByRole('complementary', { name: 'Assistant' })
      const input = panel.getByLabel('Message to the assistant')
      await expect.poll(() => input.inputValue()).toBe('cheques: which are won?')
      await keyboard.press('Enter')
      await panel.getByText('word2').waitFor()
      await focused(input)
      expect(await page.getByLabel('Name of the new item').count()).toBe(0)
      await panel.getByRole('button', { name: 'Stop' }).click()
      await focused(input)

      // Nobody is taken back to a chat that was left while it was answered.
      provider.say({ text: Array.from({ length: 200 }, (_, i) => `other${i} `), pause: 50 })
      await page.goto('/chat')
      await typeInto(page.getByLabel('Message to the assistant'), 'Talk on')
      await keyboard.press('Enter')
      await page.getByText('other2').waitFor()
      const read = page.waitForResponse(/\/messages/)
      await page.getByRole('link', { name: 'Items', exact: true }).first().click()
      await page.waitForURL('/items')
      await read
      await page.waitForTimeout(500)
      expect(new URL(page.url()).pathname).toBe('/items')
      expect(await client.ok('GET', '/api/chats')).toHaveLength(2)
    },
    { env },
  )

  flow(
    'goes on with an answer that streams where the panel is opened as a page',
    async ({ page, signIn }) => {
      const client = await signIn()
      const panel = page.getByRole('complementary', { name: 'Assistant' })
      const stored = async () => {
        const chats = await client.ok('GET', '/api/chats')
        return client.ok('GET', `/api/chats/${chats[0].chat_id}/messages`)
      }
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+j')
      const say = async (message: string) => {
        await typeInto(panel.getByLabel('Message to the assistant'), message)
        await page.keyboard.press('Enter')
      }
      const open = () => panel.getByRole('button', { name: 'Open as a page' }).click()
      provider.say({ text: Array.from({ length: 60 }, (_, i) => `word${i} `), pause: 100 })
      await say('Talk')
      await panel.getByText('word2').waitFor()
      await typeInto(panel.getByLabel('Message to the assistant'), 'And then')
      await open()
      await page.waitForURL(/\/chat\/\w{26}/)
      await focused(page.getByLabel('Message to the assistant'))
      expect(await page.getByLabel('Message to the assistant').inputValue()).toBe('And then')
      await page.getByText('word59').waitFor()
      await page.getByRole('button', { name: 'Send' }).waitFor()
      expect(await page.getByText('cut off').count()).toBe(0)
      expect(await page.getByText('word59').count()).toBe(1)
      expect((await stored())[1].content).toContain('word59')
      // There it is stopped as it would be here.
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+j')
      provider.say({ text: Array.from({ length: 600 }, (_, i) => `other${i} `), pause: 100 })
      await say('Talk on')
      await panel.getByText('other2').waitFor()
      await open()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'Send' }).waitFor()
      expect(await page.getByText('cut off').count()).toBe(0)
      expect((await stored())[1].content).toContain('other2')
    },
    { env },
  )

  flow(
    'hands what it may not do to the person, who looks first',
    async ({ page, signIn }) => {
      const client = await signIn()
      const { task } = await makeTasks(client, 105)
      await page.goto('/chat')
      // What does not arrive is given back.
      const box = page.getByLabel('Message to the assistant')
      await page.route('**/api/chat', (route) => route.abort())
      await typeInto(box, 'Clear up all of it')
      await page.keyboard.press('Enter')
      await page.getByText('does not answer').first().waitFor()
      await expect.poll(() => box.inputValue()).toBe('Clear up all of it')
      await page.unroute('**/api/chat')
      provider.say(
        { calls: [{ name: 'bulk_delete_items', arguments: { filter: { has_tag: 'Task' } } }] },
        { text: ['That is too much for me.'] },
      )
      await page.getByLabel('Message to the assistant').fill('Clear up')
      await page.keyboard.press('Enter')
      await page.getByText('That is too much for me.').waitFor()
      await picture(page, 'chat-refused', { widths: ['wide', 'phone'] })
      await page.getByRole('link', { name: 'Do it yourself: 105 items' }).click()
      await page.getByRole('dialog', { name: 'Delete 105 items' }).waitFor()
      await page.getByLabel('Type 105 to go on').fill('105')
      await page.getByRole('button', { name: 'Delete 105 items' }).click()
      await page.getByText('Deleted 105 items').first().waitFor()
      await expect.poll(() => new URL(page.url()).searchParams.get('bulk')).toBeNull()
      expect(await client.ok('POST', '/api/items/search', { filter: { has_tag: task } })).toEqual([])
    },
    { env, expected: [400, 401, 403, 404, 409, 412, 429, 'net::ERR_FAILED'] },
  )

  flow(
    'lets an answer be read back while it streams, and follows it from its end',
    async ({ page, signIn }) => {
      await signIn()
      await page.goto('/chat')
      const input = page.getByLabel('Message to the assistant')
      const log = page.getByRole('log')
      const toEnd = () => log.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop)
      provider.say({ text: Array.from({ length: 60 }, (_, i) => `Paragraph ${i}\n\n`) })
      await input.fill('At length, please')
      await input.press('Enter')
      await page.getByText('Paragraph 59').waitFor()
      await expect.poll(toEnd).toBeLessThan(20)
      await page.getByRole('button', { name: 'Send' }).waitFor()
      provider.say({ text: Array.from({ length: 400 }, (_, i) => `word${i}\n\n`), pause: 40 })
      await log.evaluate((e) => (e.scrollTop = 0))
      await input.fill('More')
      await input.press('Enter')
      await page.getByText('word9', { exact: true }).waitFor()
      expect(await toEnd()).toBeLessThan(100)
      await log.hover()
      await page.mouse.wheel(0, -600)
      await expect.poll(toEnd).toBeGreaterThan(300)
      const top = await log.evaluate((e) => e.scrollTop)
      const after = await page.getByText(/^word/).count()
      await page.getByText(`word${after + 10}`, { exact: true }).waitFor()
      expect(Math.abs((await log.evaluate((e) => e.scrollTop)) - top)).toBeLessThan(2)
      await page.mouse.wheel(0, 100_000)
      await expect.poll(toEnd).toBeLessThan(100)
      const then = await page.getByText(/^word/).count()
      await page.getByText(`word${then + 10}`, { exact: true }).waitFor()
      expect(await toEnd()).toBeLessThan(100)
      await page.getByRole('button', { name: 'Stop' }).click()
    },
    { env },
  )

  flow(
    'says that a chat has been deleted, where it is sent to and where it is opened',
    async ({ page, signIn }) => {
      const client = await signIn()
      await page.goto('/chat')
      const input = page.getByLabel('Message to the assistant')
      provider.say({ text: ['Good day.'] })
      await input.fill('Hello')
      await input.press('Enter')
      await page.waitForURL(/\/chat\/\w{26}/)
      await page.getByText('Good day.').waitFor()
      const gone = new URL(page.url()).pathname
      await client.ok('DELETE', `/api/chats/${gone.slice('/chat/'.length)}`)
      await input.fill('Still there?')
      await input.press('Enter')
      await page.getByText('This chat has been deleted.').waitFor()
      expect(await page.getByRole('log').innerText()).not.toMatch(/GET|Good day|not found/)
      // What was written goes along to the next.
      await page.getByRole('link', { name: 'Begin a new one' }).click()
      await page.waitForURL('/chat')
      await expect.poll(() => input.inputValue()).toBe('Still there?')
      await page.goBack()
      await page.getByText('This chat has been deleted.').waitFor()
    },
    { env },
  )

  flow(
    'shows in two windows what is said in either',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      const input = page.getByLabel('Message to the assistant')
      await page.goto('/chat')
      provider.say({ text: ['Good day.'] })
      await input.fill('Hello')
      await input.press('Enter')
      await page.waitForURL(/\/chat\/\w{26}/)
      const second = await page.context().newPage()
      await second.goto(page.url())
      await second.getByText('Good day.').waitFor()
      provider.say({ text: Array.from({ length: 30 }, (_, i) => `word${i} `), pause: 300 })
      await input.fill('Talk on')
      await input.press('Enter')
      await page.getByText('word1').waitFor()
      // A second question has to wait, and is kept.
      const other = second.getByLabel('Message to the assistant')
      await other.fill('And I?')
      await other.press('Enter')
      const refusal = second.getByRole('log').getByText('still answering in this chat')
      await refusal.waitFor()
      expect(await refusal.innerText()).not.toContain('chat_id')
      expect(await other.inputValue()).toBe('And I?')
      // Seen by anyone who comes to it now, and the answer by itself.
      await second.reload()
      await second.getByText('Talk on').waitFor()
      await second.getByText('No answer yet').waitFor()
      await axe()
      await second.getByText('word29').waitFor()
      await expect.poll(() => second.getByText('No answer yet').count()).toBe(0)
      await page.getByRole('button', { name: 'Send' }).waitFor()
      expect(await page.getByText('Talk on').count()).toBe(1)
      // What is said in one is there when one comes back to the other.
      provider.say({ text: ['To the second.'] })
      await other.fill('Now me')
      await other.press('Enter')
      await second.getByText('To the second.').waitFor()
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
      await page.getByText('To the second.').waitFor()
      expect(await client.ok('GET', '/api/chats')).toHaveLength(1)
      // In a low window the end of what was said stays in sight.
      await page.setViewportSize({ width: 640, height: 400 })
      await expect
        .poll(() => page.getByRole('log').evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop))
        .toBeLessThan(20)
      await picture(page, 'chat-low', { widths: ['double'] })
    },
    { env },
  )

  flow(
    'shows a new chat again that is loaded again while it answers',
    async ({ page, signIn, axe }) => {
      const client = await signIn()
      page.on('dialog', (dialog) => void dialog.accept())
      const input = page.getByLabel('Message to the assistant')
      const log = page.getByRole('log')
      await page.goto('/chat')
      provider.say({ text: Array.from({ length: 200 }, (_, i) => `word${i} `), pause: 50 })
      await input.fill('Talk on')
      await input.press('Enter')
      await page.waitForURL(/\/chat\/\w{26}/)
      // The answer goes on at its address, and what is written meanwhile stays.
      await log.getByText('word9 ').waitFor()
      await focused(input)
      await typeInto(input, 'And then?')
      const chats = page.getByRole('navigation', { name: 'Chats' })
      await expect.poll(() => chats.getByRole('link').first().getAttribute('aria-current')).toBe('page')
      await page.reload()
      await log.getByText('Talk on').waitFor()
      await log.getByText(/word9 /).waitFor()
      await log.getByText('cut off when this page was loaded again').waitFor()
      await axe()
      expect(await client.ok('GET', '/api/chats')).toHaveLength(1)

      // Before its first word nothing comes any more.
      const first = page.url()
      await page.getByRole('button', { name: 'New chat', exact: true }).click()
      await page.waitForURL('/chat')
      await log.getByText('Talk on').waitFor({ state: 'detached' })
      const never = Promise.withResolvers<void>()
      provider.say({ text: ['Late'], after: never.promise })
      await input.fill('Are you there?')
      await input.press('Enter')
      await page.waitForURL((url) => /\/chat\/\w{26}/.test(url.pathname) && url.href !== first)
      await log.getByText('Thinking…').waitFor()
      await page.reload()
      await log.getByText('Are you there?').waitFor()
      await log.getByText('cut off when this page was loaded again').waitFor()
      expect(await log.getByText('No answer yet').count()).toBe(0)
      provider.say({ text: ['Later'], after: never.promise })
      await input.fill('Once more')
      await input.press('Enter')
      await log.getByText('Thinking…').waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await log.getByText('stopped before its first word').waitFor()
      expect(await log.getByText('No answer yet').count()).toBe(0)
      never.resolve()

      // Back leads out of the chat, to a new one.
      await page.goto('/chat')
      provider.say({ text: ['Good day.'] })
      await input.fill('Hello')
      await input.press('Enter')
      await page.waitForURL(/\/chat\/\w{26}/)
      await log.getByText('Good day.').waitFor()
      await page.goBack()
      await page.waitForURL('/chat')
      await expect.poll(() => log.getByText('Good day.').count()).toBe(0)
      await page.goForward()
      await log.getByText('Good day.').waitFor()
    },
    { env },
  )

  flow(
    'goes on from an earlier answer under the address of the chat that this makes',
    async ({ page, signIn }) => {
      await signIn()
      const input = page.getByLabel('Message to the assistant')
      const log = page.getByRole('log')
      await page.goto('/chat')
      for (const each of ['one', 'two']) {
        provider.say({ text: [`Answer ${each}.`] })
        await input.fill(`Question ${each}`)
        await input.press('Enter')
        await log.getByText(`Answer ${each}.`).waitFor()
        await page.getByRole('button', { name: 'Send' }).waitFor()
      }
      const before = page.url()
      await page.getByRole('button', { name: 'Go on from here' }).click()
      await log.getByText('Answer two.').waitFor({ state: 'detached' })
      // What is refused leaves what was chosen.
      await page.route('**/api/chat', (route) => route.abort())
      await input.fill('Question three')
      await input.press('Enter')
      await page.getByText('does not answer').first().waitFor()
      await page.unroute('**/api/chat')
      await page.getByText('goes on from this answer').waitFor()
      provider.say({ text: Array.from({ length: 100 }, (_, i) => `word${i} `), pause: 50 })
      await input.press('Enter')
      await page.waitForURL((url) => url.href !== before)
      await log.getByText('word9 ').waitFor()
      expect(await log.getByText('Answer one.').count()).toBe(1)
      expect(await log.getByText('Answer two.').count()).toBe(0)
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'Send' }).waitFor()
      expect(await log.getByText('Question three').count()).toBe(1)
      expect(await log.getByText('Question one').count()).toBe(1)
      await page.goBack()
      await log.getByText('Answer two.').waitFor()
    },
    { env, expected: [400, 401, 403, 404, 409, 412, 429, 'net::ERR_FAILED'] },
  )

  flow(
    'keeps a message whole that is too long, and says so',
    async ({ page, signIn, axe }) => {
      await signIn()
      await page.goto('/chat')
      const input = page.getByLabel('Message to the assistant')
      await focused(input)
      await page.keyboard.insertText(`${'x'.repeat(100_001)}end`)
      await page.getByText('At most 100,000 characters: it has 100,004').waitFor()
      expect(await input.inputValue()).toMatch(/end$/)
      await axe()
      await page.keyboard.press('Enter')
      expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
      for (let i = 0; i < 4; i++) await page.keyboard.press('Backspace')
      await page.getByText('At most 100,000').waitFor({ state: 'detached' })
      provider.say({ text: ['That is long.'] })
      await page.keyboard.press('Enter')
      await page.getByText('That is long.').waitFor()
    },
    { env },
  )

  flow('says which variables to set where there is no model', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/chat')
    await page.getByText('LLM_PROVIDER').waitFor()
    await picture(page, 'chat-none', { widths: ['wide'] })
  })

  flow(
    'keeps components in their cage',
    async ({ page, signIn }) => {
      await signIn()
      // Anyone who gets out knocks here.
      const knocks: string[] = []
      const outside = createServer((socket) => {
        socket.once('data', (data) => knocks.push(data.toString('latin1').slice(0, 80)))
        socket.on('error', () => {})
      })
      await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
      const { port } = outside.address() as AddressInfo
      const there = `http://127.0.0.1:${port}`
      const attempts: Record<string, string> = {
        cookie: `return document.cookie`,
        storage: `return localStorage.length`,
        parent: `return parent.document.body.innerHTML`,
        top: `top.location.href = '${there}/top'; throw new Error('to be looked at')`,
        popup: `const w = open('${there}/popup'); if (!w) throw new Error('blocked'); return 'opened'`,
        eval: `return eval('1+1')`,
        fetch: `return fetch('${there}/fetch').then((r) => r.status)`,
        beacon: `navigator.sendBeacon('${there}/beacon', 'x'); throw new Error('sent, and to be looked at')`,
        socket: `return new Promise((ok, no) => { const s = new WebSocket('ws://127.0.0.1:${port}/socket'); s.onopen = () => ok('open'); s.onerror = () => no(new Error('closed')) })`,
        image: `return new Promise((ok, no) => { const i = new Image(); i.onload = () => ok('loaded'); i.onerror = () => no(new Error('blocked')); i.src = '${there}/image.png' })`,
        script: `return new Promise((ok, no) => { const s = document.createElement('script'); s.onload = () => ok('loaded'); s.onerror = () => no(new Error('blocked')); s.src = '${there}/script.js'; document.head.append(s) })`,
        nested: `const f = document.createElement('iframe'); f.src = '${there}/nested'; document.body.append(f); await new Promise((ok) => setTimeout(ok, 500)); throw new Error('to be looked at')`,
        form: `const f = document.createElement('form'); f.action = '${there}/form'; document.body.append(f); f.submit(); throw new Error('to be looked at')`,
        link: `for (const rel of ['prefetch', 'preconnect', 'stylesheet']) { const l = document.createElement('link'); l.rel = rel; l.href = '${there}/' + rel; document.head.append(l) } await new Promise((ok) => setTimeout(ok, 500)); throw new Error('to be looked at')`,
        video: `const v = document.createElement('video'); v.src = '${there}/video'; document.body.append(v); await new Promise((ok) => setTimeout(ok, 500)); throw new Error('to be looked at')`,
        font: `const f = new FontFace('x', "url(${there}/font)"); await f.load(); return 'loaded'`,
        worker: `return new Promise((ok, no) => { try { const w = new Worker(URL.createObjectURL(new Blob(['1']))); w.onerror = () => no(new Error('blocked')); setTimeout(() => ok('made'), 500) } catch (e) { no(e) } })`,
        webrtc: `return new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }).constructor.name`,
        webrtcNested: `const f = document.createElement('iframe'); document.body.append(f); return new f.contentWindow.RTCPeerConnection().constructor.name`,
      }
      const body = Object.entries(attempts)
        .map(([name, code]) => `  ${JSON.stringify(name)}: async () => { ${code} },`)
        .join('\n')
      const component = `import { useState, useEffect } from 'react'
const attempts = {
${body}
}
export default function Attempt() {
  const [told, setTold] = useState([])
  useEffect(() => {
    (async () => {
      for (const [name, run] of Object.entries(attempts)) {
        const came = await Promise.resolve().then(run).then((v) => 'OUT ' + String(v), () => 'held')
        setTold((all) => [...all, name + ': ' + came])
      }
      setTold((all) => [...all, 'all tried'])
    })()
  }, [])
  return <ul>{told.map((each) => <li key={each}>{each}</li>)}</ul>
}`
      provider.say(
        render(component, `@import url('${there}/import.css'); li { background: url('${there}/css.png') }`),
        {
          text: ['Drawn.'],
        },
      )
      await page.goto('/chat')
      await page.getByLabel('Message to the assistant').fill('Break out')
      await page.keyboard.press('Enter')
      const cage = page.frameLocator('iframe')
      await cage.getByText('all tried').waitFor({ timeout: 30_000 })
      const told = await cage.getByRole('listitem').allInnerTexts()
      expect(told.filter((each) => each.includes('OUT'))).toEqual([])
      expect(told).toHaveLength(Object.keys(attempts).length + 1)
      await picture(page, 'chat-component', { widths: ['wide'] })
      expect(new URL(page.url()).pathname).toMatch(/^\/chat/)
      expect(knocks).toEqual([])

      // Going elsewhere itself leaves an empty frame.
      const away = `export default function Away() { location.href = '${there}/away'; return <p>Off</p> }`
      provider.say(render(away), { text: ['Gone.'] })
      await page.getByLabel('Message to the assistant').fill('Leave')
      await page.keyboard.press('Enter')
      await page.getByText('Gone.').waitFor()
      await page.waitForTimeout(500)
      expect(knocks).toEqual([])

      outside.close()
    },
    { env, provoked: /./ },
  )

  flow(
    'goes on while a component loops without end',
    async ({ page, signIn }) => {
      await signIn()
      await page.goto('/chat')
      provider.say(render(`export default function Loop() { for (;;); }`), { text: ['Looping.'] })
      await page.getByLabel('Message to the assistant').fill('Loop')
      await page.keyboard.press('Enter')
      await page.getByText('Looping.').waitFor()
      const pause = await page.evaluate(async () => {
        let [longest, last] = [0, performance.now()]
        for (let i = 0; i < 60; i++) {
          await new Promise((resolve) => setTimeout(resolve, 16))
          longest = Math.max(longest, performance.now() - last)
          last = performance.now()
        }
        return longest
      })
      expect(pause).toBeLessThan(1000)
      await page.close()
    },
    { env },
  )
})
