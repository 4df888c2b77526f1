import { median, type Report } from '#bench/report.ts'
import { sendTo } from '#bench/writes-beside.ts'
import { Server } from '#bench/servers.ts'
import { CHAIN_COST } from '#bench/targets.ts'

const ROUNDS = 6
const CREATES = 600
const AT_ONCE = 10
const BULKS = 3
const ITEMS_OF_A_BULK = 1000

const KINDS = ['chained', 'unchained'] as const
type Kind = (typeof KINDS)[number]

/**
 * What the chain of events costs: the service from its sources, as it is and without salts and hashes, in turns. In
 * processor time, because on a busy machine rates say more of the others.
 */
export async function measureChain(report: Report, data: string, items: number): Promise<void> {
  const servers = {
    chained: await Server.startSources('chained', data),
    unchained: await Server.startSources('unchained', data, ['./bench/unchained.ts']),
  }
  try {
    for (const [what, write] of [
      ['creates', create],
      [`bulk creates of ${ITEMS_OF_A_BULK}`, bulkCreate],
    ] as const) {
      const costs: Record<Kind, number[]> = { chained: [], unchained: [] }
      for (let round = 0; round <= ROUNDS; round++)
        for (const kind of round % 2 ? KINDS : KINDS.toReversed()) {
          const before = servers[kind].cpu
          const written = await write(servers[kind])
          if (round) costs[kind].push(((servers[kind].cpu - before) * 1e6) / written)
        }
      const [chained, unchained] = KINDS.map((kind) => median(costs[kind]))
      report.atMost(
        {
          what: `${what} with the chain (${chained!.toFixed(0)} µs an item, without ${unchained!.toFixed(0)})`,
          items,
          value: chained! / unchained!,
          unit: '×',
          raw: costs,
        },
        CHAIN_COST,
      )
    }
  } finally {
    for (const kind of KINDS) await servers[kind].stop()
  }
}

async function create(server: Server): Promise<number> {
  for (let done = 0; done < CREATES; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendTo(server, '/items', newItem())))
  return CREATES
}

async function bulkCreate(server: Server): Promise<number> {
  for (let i = 0; i < BULKS; i++)
    await sendTo(server, '/items/bulk', { items: Array.from({ length: ITEMS_OF_A_BULK }, newItem) })
  return BULKS * ITEMS_OF_A_BULK
}

let made = 0
const newItem = () => ({
  name: `Write the report of week ${made++}`,
  description: '<p>With the figures of all departments.</p>',
  tags: [{ tag_ref: { Existing: 'Task' }, field_values: { owner: `Owner ${made % 50}` } }],
})
