import { median, type Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { ACCEPT_COST, LIMITED_READ_COST, PROPOSAL_COST } from '#bench/targets.ts'

const ROUNDS = 7
const READS = 200

/** A proposal of a change of all tasks, beside its dry run and its batch, in processor time; up to 10,000 can be proposed. */
export async function measureProposals(report: Report, facet: Server, items: number): Promise<void> {
  const post = sender(facet, { cookie: facet.cookie! })
  let value = 0
  const operations = () => [
    {
      operation: 'bulkUpdateFields',
      input: {
        filter: { has_tag: 'Task' },
        tag_id: 'Task',
        merge: true,
        field_values: { owner: `Owner ${++value}` },
      },
    },
  ]
  const ratios: { kept: number[]; accepted: number[] } = { kept: [], accepted: [] }
  let count = 0
  for (let round = 0; round < ROUNDS; round++) {
    const tried = await computed(facet, () => post('/batch', { operations: operations(), dry_run: true }))
    let made = ''
    const kept = await computed(
      facet,
      async () => (made = await post('/proposals', { operations: operations() })),
    )
    const { proposal_id, changed_count } = JSON.parse(made) as { proposal_id: string; changed_count: number }
    count = changed_count
    const accepted = await computed(facet, () => post(`/proposals/${proposal_id}/accept`, {}))
    const done = await computed(facet, () => post('/batch', { operations: operations() }))
    ratios.kept.push(kept / tried)
    ratios.accepted.push(accepted / done)
  }
  const what = `a proposal of ${count.toLocaleString('en')} changes`
  const row = (does: string, all: number[]) => ({
    what: `${what}: ${does}`,
    items,
    value: median(all),
    unit: '×',
    raw: all,
  })
  report.atMost(row('to keep it, of its dry run', ratios.kept), PROPOSAL_COST)
  report.atMost(row('to accept it, of its batch', ratios.accepted), ACCEPT_COST)
}

/** Reads of a key that sees a part, beside those of one that sees all and asks for that part by the same filter. */
export async function measureLimits(report: Report, facet: Server, items: number): Promise<void> {
  const make = sender(facet, { cookie: facet.cookie! })
  const limit = { and: [{ has_tag: 'Task' }, { 'Task.priority': { gte: 3 } }] }
  const key = async (more: object) => {
    const { key: token } = JSON.parse(await make('/keys', { name: 'bench', scope: 'read', ...more })) as {
      key: string
    }
    return sender(facet, { authorization: `Bearer ${token}` })
  }
  const [limited, whole] = [await key({ limit: { filter: limit } }), await key({})]
  const reads: readonly (readonly [string, object, object])[] = [
    ['a page by a field', { 'Task.owner': { contains: 'a' } }, { limit: 50 }],
    ['a sorted page', { 'Task.status': 'open' }, { limit: 50, sort: [{ by: 'Task.due' }] }],
    ['a count', { 'Task.priority': { lt: 5 } }, { limit: 0, count: true }],
  ]
  for (const [what, filter, page] of reads) {
    const of = (read: typeof limited, asked: object) =>
      computed(facet, async () => {
        for (let n = 0; n < READS; n++) await read('/items/search', { filter: asked, ...page })
      })
    const all: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const base = await of(whole, { and: [limit, filter] })
      all.push((await of(limited, filter)) / base)
    }
    const row = {
      what: `${what} of a key that sees a part, of one with that filter`,
      items,
      value: median(all),
      unit: '×',
      raw: all,
    }
    report.atMost(row, LIMITED_READ_COST)
  }
}

/** Seconds of processor time of all its threads. */
async function computed(facet: Server, work: () => Promise<unknown>): Promise<number> {
  const sum = () => Object.values(facet.cpuByThread).reduce((all, one) => all + one, 0)
  const before = sum()
  await work()
  return sum() - before
}

function sender(facet: Server, headers: Record<string, string>) {
  return async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${facet.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return text
  }
}
