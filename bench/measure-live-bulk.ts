import { listen } from '#bench/measure-live.ts'
import type { Report } from '#bench/report.ts'
import { register, type Server } from '#bench/servers.ts'
import { LIVE_BULK_WAIT } from '#bench/targets.ts'

const STREAMS = 100
const FILTERS = 10
const PAUSE_MS = 5
const FILTER = { has_tag: 'Task' }

/**
 * All tasks are changed at once, first while nobody listens, then while a hundred streams follow them, over ten
 * filters: how long others' writes wait, the event loop, and when the last stream has been told of all. Up to 10,000
 * items each is told of; where they are more, streams are told to search again.
 */
export async function measureLiveBulk(report: Report, facet: Server, items: number): Promise<void> {
  const send = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${facet.url}/api/items${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: facet.cookie! },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return text
  }
  const change = async (owner: string) => {
    const under = { way: true, longest: 0 }
    const others = (async () => {
      while (under.way) {
        const begun = performance.now()
        await send('', { name: 'Beside' })
        under.longest = Math.max(under.longest, performance.now() - begun)
        await new Promise((resume) => setTimeout(resume, PAUSE_MS))
      }
    })()
    const values = { tag_id: 'Task', field_values: { owner }, merge: true }
    const answer = JSON.parse(await send('/bulk-update-fields', { filter: FILTER, ...values })) as {
      affected_count: number
    }
    return { count: answer.affected_count, under, others }
  }
  const alone = await change('Nobody')
  alone.under.way = false
  await alone.others

  const cookie = await register(facet.url, 'live-bulk@example.org')
  const heard = { told: 0, resets: 0 }
  const hear = (text: string) => {
    heard.told += text.match(/^event: change$/gm)?.length ?? 0
    heard.resets += text.match(/^event: reset$/gm)?.length ?? 0
  }
  const streams = Array.from({ length: STREAMS }, (_, n) =>
    listen(facet.url, cookie, { and: [FILTER, { not: { name: `No ${n % FILTERS}` } }] }, hear),
  )
  await Promise.all(streams.map(({ opened }) => opened))
  const begun = performance.now()
  let count = 0
  let longest = 0
  const delay = await facet.loopDelay(async () => {
    const told_of = await change('Somebody')
    count = told_of.count
    while (heard.told < told_of.count * STREAMS && heard.resets < STREAMS)
      await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    told_of.under.way = false
    await told_of.others
    longest = told_of.under.longest
  })
  const took = performance.now() - begun
  for (const each of streams) each.leave()
  const what = `a change of ${count.toLocaleString('en')} items to ${STREAMS} streams`
  report.note({
    what: `${what}: until the last is told of all`,
    items,
    value: took,
    unit: 'ms',
    raw: heard,
  })
  const waits = { alone: alone.under.longest, told: longest }
  report.atMost(
    {
      what: `longest wait of a write beside that, of one beside it while nobody listens`,
      items,
      value: longest / alone.under.longest,
      unit: '×',
      raw: waits,
    },
    LIVE_BULK_WAIT,
  )
  report.note({
    what: `event loop delay meanwhile, p99`,
    items,
    value: delay.p99,
    unit: 'ms',
    raw: { max: delay.max },
  })
}
