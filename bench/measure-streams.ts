import { request } from 'node:http'
import { median, type Report } from '#bench/report.ts'
import { register, type Server } from '#bench/servers.ts'
import { LISTENERS_RSS, STREAMED_P50, STREAMED_P50_OF_TWO } from '#bench/targets.ts'

const STREAMED = 50
const PAUSE_MS = 20
const LISTENERS = 1000
/** As many as an account may have. */
const OF_AN_ACCOUNT = 100
const SETTLE_MS = 2000

/** How soon a listener hears of a change of its own process. */
export async function measureStream(report: Report, facet: Server, items: number): Promise<void> {
  const raw = await delays(facet, facet)
  const what = 'from a create that is sent to its event on a stream, p50'
  report.atMost({ what, items, value: median(raw), unit: 'ms', raw }, STREAMED_P50)
}

/** The same where the listener is at another process. */
export async function measureStreamOfTwo(
  report: Report,
  processes: { first: Server; second: Server },
  items: number,
): Promise<void> {
  const raw = await delays(processes.first, processes.second)
  const what = 'from a create that is sent to its event at another process, p50'
  report.atMost({ what, items, value: median(raw), unit: 'ms', raw }, STREAMED_P50_OF_TWO)
}

/** Milliseconds from the request, which is before its commit, to the event. */
async function delays(writer: Server, told: Server): Promise<number[]> {
  const stop = new AbortController()
  const stream = await fetch(`${told.url}/api/changes/stream`, {
    headers: { cookie: told.cookie! },
    signal: stop.signal,
  })
  const heard = new Map<string, number>()
  const listening = (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of stream.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const whole = text.lastIndexOf('\n\n')
      if (whole < 0) continue
      for (const [, item_id] of text.slice(0, whole).matchAll(/"item_id":"(\w+)"/g))
        if (!heard.has(item_id!)) heard.set(item_id!, performance.now())
      text = text.slice(whole)
    }
  })().catch(() => {})
  const sent = new Map<string, number>()
  for (let i = 0; i < STREAMED; i++) {
    const begun = performance.now()
    const response = await fetch(`${writer.url}/api/items`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: writer.cookie! },
      body: JSON.stringify({ name: 'Told' }),
    })
    sent.set(((await response.json()) as { item_id: string }).item_id, begun)
    await pause(PAUSE_MS)
  }
  await pause(SETTLE_MS)
  stop.abort()
  await listening
  return [...sent].map(([item_id, at]) => (heard.get(item_id) ?? Infinity) - at)
}

/** What a thousand who listen take, while changes are told to all of them. */
export async function measureListeners(report: Report, facet: Server, items: number): Promise<void> {
  const cookies: string[] = []
  for (let n = 0; n < LISTENERS / OF_AN_ACCOUNT; n++)
    cookies.push(await register(facet.url, `listener-${n}@example.org`))
  await pause(SETTLE_MS)
  const before = facet.rss
  const open = cookies.flatMap((cookie) =>
    Array.from({ length: OF_AN_ACCOUNT }, () => listen(facet.url, cookie)),
  )
  await Promise.all(open.map(({ opened }) => opened))
  for (let i = 0; i < 20; i++) {
    const response = await fetch(`${facet.url}/api/items`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: facet.cookie! },
      body: JSON.stringify({ name: 'Told to all' }),
    })
    await response.arrayBuffer()
  }
  await pause(SETTLE_MS)
  const value = facet.rss - before
  for (const each of open) each.leave()
  report.atMost(
    { what: `${LISTENERS} who listen to changes`, items, value, unit: 'MB', raw: { before } },
    LISTENERS_RSS,
  )
}

function listen(url: string, cookie: string): { opened: Promise<void>; leave: () => void } {
  const asked = request(`${url}/api/changes/stream`, { headers: { cookie }, agent: false })
  const opened = new Promise<void>((resolve, reject) => {
    asked.once('response', (response) => {
      response.resume().on('error', () => {})
      if (response.statusCode === 200) resolve()
      else reject(new Error(`a stream answered ${response.statusCode}`))
    })
    asked.once('error', reject)
  })
  asked.end()
  return { opened, leave: () => asked.destroy() }
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
