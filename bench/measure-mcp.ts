import { type ClientRequest, get } from 'node:http'
import type { Load } from '#bench/load.ts'
import { median, type Report } from '#bench/report.ts'
import { register, type Server } from '#bench/servers.ts'
import { IDLE_STREAM_KB, MCP_READ_COST, TOOL_LIST_TOKENS } from '#bench/targets.ts'
import type { WorkName } from '#bench/works.ts'

const ROUNDS = 5
/** Rounds before those that count: code is compiled as it runs. */
const WARM_UP = 2
const STREAMS = 1000
/** The service allows a user 100. */
const STREAMS_OF_A_USER = 100
/** Milliseconds until memory has come to rest. */
const REST = 3000

/** What MCP costs beside REST, what an idle stream takes, and how long the list of tools is. */
export async function measureMcp(
  report: Report,
  facet: Server,
  items: number,
  apply: (work: WorkName) => Promise<Load>,
): Promise<void> {
  // Processor time, because on a busy machine rates say more of the others.
  const costs = { read: [] as number[], mcp_read: [] as number[] }
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const work of ['read', 'mcp_read'] as const) {
      const before = facet.cpu
      const { requests } = await apply(work)
      if (round >= 0) costs[work].push(((facet.cpu - before) * 1e6) / requests)
    }
  const [rest, mcp] = [median(costs.read), median(costs.mcp_read)]
  const shown = `${mcp.toFixed(0)} µs, REST ${rest.toFixed(0)} µs`
  report.atMost(
    { what: `get_item through MCP (${shown})`, items, value: mcp / rest, unit: '×', raw: costs },
    MCP_READ_COST,
  )
  report.atMost(
    { what: 'tools/list, characters / 4', items, value: (await toolList(facet)).length / 4, unit: 'tokens' },
    TOOL_LIST_TOKENS,
  )
  await measureStreams(report, facet, items)
}

async function measureStreams(report: Report, facet: Server, items: number): Promise<void> {
  const cookies: string[] = []
  for (let user = 0; user < STREAMS / STREAMS_OF_A_USER; user++)
    cookies.push(await register(facet.url, `streams-${user}@example.org`))
  // The first streams load code that the others share.
  const warm = await Promise.all(cookies.map((cookie) => openStream(facet.url, cookie)))
  for (const stream of warm) stream.destroy()
  await settled()
  const before = facet.rss
  const streams: ClientRequest[] = []
  for (const cookie of cookies)
    streams.push(
      ...(await Promise.all(Array.from({ length: STREAMS_OF_A_USER }, () => openStream(facet.url, cookie)))),
    )
  await settled()
  const value = ((facet.rss - before) * 1024) / STREAMS
  for (const stream of streams) stream.destroy()
  report.atMost({ what: `an idle event stream, of ${STREAMS}`, items, value, unit: 'KB' }, IDLE_STREAM_KB)
}

const settled = () => new Promise((resolve) => setTimeout(resolve, REST))

/** Open from its first event on. */
function openStream(url: string, cookie: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/mcp/sse`, { agent: false, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream answered ${response.statusCode}`))
      response.once('data', () => resolve(request))
      response.on('error', () => {})
    })
    request.on('error', reject)
  })
}

async function toolList({ url, cookie }: Server): Promise<string> {
  const response = await fetch(`${url}/api/mcp/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookie! },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return response.text()
}
