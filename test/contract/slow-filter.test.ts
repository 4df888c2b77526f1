import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { endlessPattern, letters } from '#test/support/endless-pattern.ts'
import { openLive } from '#test/support/live-stream.ts'
import { startService, type Service } from '#test/support/service.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'

/** Seconds: without an end it would take a minute and more. */
const SOON = 15
const TIMEOUT = 120_000

let service: Service
let slow: Client
let other: Client
let receiver: WebhookReceiver
let patterns = 100

beforeAll(async () => {
  receiver = new WebhookReceiver()
  await receiver.listen()
  service = await startService({ env: { WEBHOOK_PRIVATE: 'true' } })
  slow = await service.user()
  other = await service.user()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const endless = () => ({ description: { matches: endlessPattern(patterns++) } })
const long = () => slow.ok('POST', '/api/items', { name: 'Letters', description: letters(500_000) })

/** Seconds until it is there. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** The longest that the other account waits for what it does meanwhile, in seconds. */
async function meanwhile(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const waited: Record<string, number> = {}
  const doing: Record<string, (i: number) => Promise<unknown>> = {
    create: (i) => other.ok('POST', '/api/items', { name: `Beside ${i}` }),
    search: () => other.ok('POST', '/api/items/search', { filter: { name: 'Beside 1' }, limit: 1 }),
    tags: () => other.ok('GET', '/api/tags'),
    user: () => service.user(),
  }
  const under = { way: true }
  const others = Object.entries(doing).map(async ([name, call]) => {
    for (let i = 0; under.way; i++) {
      waited[name] = Math.max(waited[name] ?? 0, await seconds(() => call(i)))
      await new Promise((resume) => setTimeout(resume, 200))
    }
  })
  try {
    await work()
  } finally {
    under.way = false
    await Promise.all(others)
  }
  return waited
}

const most = (waited: Record<string, number>) => Math.max(...Object.values(waited))

describe('a filter that takes minutes over one text keeps nobody else waiting', { timeout: TIMEOUT }, () => {
  it('for what happens to what they follow', async () => {
    const endlessly = await openLive(slow, { filter: endless() })
    const limit = { filter: { not: endless() } }
    const { key } = await slow.ok('POST', '/api/keys', { name: 'in part', scope: 'read', limit })
    const limited = await openLive(
      slow,
      { filter: { name: { contains: 'e' } } },
      { authorization: `Bearer ${key}` },
    )
    const stream = await openLive(other, { filter: { name: 'Followed' } })
    await long()
    const waited = await meanwhile(async () => {
      await other.ok('POST', '/api/items', { name: 'Followed' })
      const told = await seconds(() => stream.next())
      expect(told).toBeLessThan(SOON)
    })
    expect(most(waited)).toBeLessThan(SOON)
    expect(await endlessly.next()).toMatchObject({ kind: 'reset' })
    endlessly.leave()
    limited.leave()
    stream.leave()
  })

  it('for what happens in views that they watch', async () => {
    const watched = async (by: Client, filter: object) => {
      const { view_id } = await by.ok('POST', '/api/views', { name: `View ${patterns}`, filter })
      await by.ok('PUT', `/api/views/${view_id}/watch`, { enter: true, change: true, leave: true })
      return view_id
    }
    await watched(slow, endless())
    const view_id = await watched(other, { name: 'Watched' })
    await long()
    const waited = await meanwhile(async () => {
      await slow.ok('POST', '/api/items', { name: 'Watched' })
      const told = await seconds(async () => {
        for (;;) {
          const found = await other.ok('GET', '/api/notifications')
          if (found.some((each: { about: string }) => each.about === view_id)) return
          await new Promise((resume) => setTimeout(resume, 50))
        }
      })
      expect(told).toBeLessThan(SOON)
    })
    expect(most(waited)).toBeLessThan(SOON)
  })

  it('for what is sent to their webhooks', async () => {
    await slow.ok('POST', '/api/webhooks', { url: receiver.url, filter: endless() })
    await slow.ok('POST', '/api/webhooks', { url: receiver.url, filter: { name: 'Sent' } })
    await long()
    const waited = await meanwhile(async () => {
      await new Promise((resume) => setTimeout(resume, 500))
      await other.ok('POST', '/api/items', { name: 'Sent' })
      const told = await seconds(() => receiver.take(1))
      expect(told).toBeLessThan(SOON)
    })
    expect(most(waited)).toBeLessThan(SOON)
  })
})
