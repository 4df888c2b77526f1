import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { wideFilter } from '#test/support/wide-filter.ts'

/**
 * Milliseconds, and how often it may take what it takes alone where the machine itself is slow: other tests want the
 * processor too, and one that waited for such a search would wait for seconds.
 */
const SOON = { most: 1000, timesAlone: 100 }
const MOSTLY = { most: 100, timesAlone: 20 }
const ITEMS = 3000
/** Of searches that are slow no more are answered while one looks. */
const ROUNDS = 3
/** More than there are salts: no search is like one before it. */
const ROUND = 1000

let service: Service
let item_id: string
let users: Client[]

beforeAll(async () => {
  service = await startService()
  users = []
  for (let i = 0; i < 10; i++) users.push(await service.user())
  const description = 'a description of some length '.repeat(40)
  for (let made = 0; made < ITEMS; made += 1000)
    await users[0]!.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 1000 }, (_, i) => ({ name: `Item ${made + i}`, description })),
    })
  item_id = (await users[0]!.ok('POST', '/api/items', { name: 'one' })).item_id
})
afterAll(() => service.close())

const slow = (salt: number) => ({ limit: 10, filter: wideFilter(salt) })

/** Milliseconds that each took. */
async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)
}

/** Slow searches of these accounts, as many each, one after the other until `end`, which gives how many rounds were answered. */
function searchSlowly(clients: readonly Client[], { count = 5, salt = 0 } = {}) {
  const leave = new AbortController()
  let answered = 0
  const search = async (client: Client, salted: number): Promise<void> => {
    await client.fetch('/api/items/search', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(slow(salted)),
      signal: leave.signal,
    })
    answered++
    await search(client, salted + ROUND)
  }
  const searches = clients.flatMap((client) =>
    Array.from({ length: count }, (_, i) => search(client, salt + i)),
  )
  const ended = Promise.allSettled(searches)
  return {
    async end(): Promise<number> {
      leave.abort()
      for (const each of await ended) expect(each).toMatchObject({ reason: { name: 'AbortError' } })
      return answered / searches.length
    },
  }
}

const bound = ({ most, timesAlone }: typeof SOON, alone: readonly number[]) =>
  Math.max(most, timesAlone * alone[Math.floor(alone.length / 2)]!)

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds))
const searchQuickly = (client: Client) =>
  client.ok('POST', '/api/items/search', { filter: { name: { eq: 'one' } }, limit: 1 })

describe('while accounts run five slow searches each', () => {
  it('another reads by key in milliseconds, and its own quick searches do not wait for theirs', async () => {
    const [first, second, third] = users as [Client, Client, Client]
    const read = () => third.ok('GET', `/api/items/${item_id}`)
    const search = () => searchQuickly(third)
    const alone = { byKey: await timesOf(20, read), quick: await timesOf(5, search) }
    const searches = searchSlowly([first, second])
    await pause(500)
    const byKey = await timesOf(20, read)
    const quick = await timesOf(5, search)
    expect(await searches.end()).toBeLessThan(ROUNDS)
    expect(byKey.at(-1)).toBeLessThan(bound(SOON, alone.byKey))
    expect(byKey[10]).toBeLessThan(bound(MOSTLY, alone.byKey))
    expect(quick.at(-1)).toBeLessThan(bound(SOON, alone.quick))
  })

  it('one whose searches are mostly quick goes on so beside a slow one of its own', async () => {
    const [, , , honest, ...slower] = users as [Client, Client, Client, Client, ...Client[]]
    const alone = await timesOf(5, () => searchQuickly(honest))
    const searches = searchSlowly(slower, { salt: 100 })
    const own = searchSlowly([honest], { count: 1, salt: 200 })
    // Long enough for the slow one to be met as such, and short enough for that to be remembered.
    await pause(800)
    const quick = await timesOf(10, () => searchQuickly(honest))
    expect(await searches.end()).toBeLessThan(ROUNDS)
    expect(await own.end()).toBeLessThan(ROUNDS)
    expect(quick.at(-1)).toBeLessThan(3 * bound(SOON, alone))
  })
})
