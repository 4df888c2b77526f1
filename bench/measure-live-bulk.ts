import { listen } from '#bench/measure-live.ts'
import type { Report } from '#bench/report.ts'
import { register, type Server } from '#bench/servers.ts'
import { LIVE_BULK_WAIT } from '#bench/targets.ts'
import { sendTo, writesBeside } from '#bench/writes-beside.ts'

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
  const change = async (owner: string): Promise<number> => {
    const values = { tag_id: 'Task', field_values: { owner }, merge: true }
    const { text } = await sendTo(facet, '/items/bulk-update-fields', { filter: FILTER, ...values })
    return (JSON.parse(text) as { affected_count: number }).affected_count
  }
  const nobody = writesBeside(facet)
  await change('Nobody')
  const alone = await nobody.end()

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
    const others = writesBeside(facet)
    count = await change('Somebody')
    while (heard.told < count * STREAMS && heard.resets < STREAMS)
      await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    longest = await others.end()
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
  report.atMost(
    {
      what: `longest wait of a write beside that, of one beside it while nobody listens`,
      items,
      value: longest / alone,
      unit: '×',
      raw: { alone, told: longest },
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
