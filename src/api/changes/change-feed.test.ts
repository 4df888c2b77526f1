import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ChangeFeed, type FeedListener } from '#src/api/changes/change-feed.ts'
import { ChangeFollower } from '#src/api/changes/change-follower.ts'
import { EventStream } from '#src/api/sse.ts'
import { NOBODY, SERVICE } from '#src/domain/caller.ts'
import { ChangeWatch } from '#src/engine/change-watch.ts'
import type { Engine } from '#src/engine/engine.ts'
import { startSqliteEngine } from '#src/engine/sqlite-engine.ts'
import { readNewEvents } from '#src/operations/audit/audit-steps.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import type { FollowedEvents } from '#src/storage/log/find-events.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { heldResponse } from '#test/support/held-response.ts'
import { keptThreads } from '#test/support/kept-threads.ts'

let folder: string
let engine: Engine
let close: () => Promise<void>

async function engineOn(name: string): Promise<{ engine: Engine; close: () => Promise<void> }> {
  const file = join(folder, name)
  const lock = await prepareSqliteFile(file)
  const started = await startSqliteEngine({
    file,
    startThread: await keptThreads(),
    run: sqlRunner([...sqlOperations, ...sqlSteps]),
    log: () => {},
  })
  return { engine: started, close: () => started.close().finally(() => lock.release()) }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-feed-'))
  ;({ engine, close } = await engineOn('facet.db'))
})
afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

class Listener implements FeedListener {
  readonly taken: string[] = []
  take({ text }: { text: string }): void {
    this.taken.push((JSON.parse(text) as { details: { name: string } }).details.name)
  }
}

const create = async (name: string): Promise<void> => {
  const caller = { ...NOBODY, address: '127.0.0.1' }
  await engine.write({ name: createItem.name, caller, input: { name }, now: Date.now() })
}

it('gives one who joins while a page of those who left is read all that it has not had', async () => {
  for (const name of ['one', 'two', 'three']) await create(name)
  const all = new Listener()
  let hold: Promise<unknown> | null = null
  const reads: (() => void)[] = []
  const held: Engine = {
    ...engine,
    relay: engine.relay,
    read: async (call, limits) => {
      const reply = await engine.read(call, limits)
      for (const seen of reads.splice(0)) seen()
      await hold
      return reply
    },
  }
  const changes = new ChangeWatch(null)
  const services = { changes, config: { time_zone: 'UTC' } }
  const runtime = { engine: held, services, clock: Date.now } as unknown as Runtime
  const feed = new ChangeFeed(runtime, (error) => expect.unreachable(String(error)))
  expect(feed.join(all, '')).toBe(true)
  await expect.poll(() => all.taken).toEqual(['one', 'two', 'three'])

  let release = () => {}
  hold = new Promise<void>((resume) => (release = resume))
  const isRead = new Promise<void>((seen) => reads.push(seen))
  await create('four')
  changes.happened()
  await isRead // a page with 'four' alone
  feed.leave(all)
  const late = new Listener()
  expect(feed.join(late, '')).toBe(true)
  release()
  hold = null
  await expect.poll(() => late.taken).toEqual(['one', 'two', 'three', 'four'])
  feed.leave(late)
})

it('is read once by all also where one follows from an event that is still to come', async () => {
  await create('one')
  const changes = new ChangeWatch(null)
  const services = { changes, config: { time_zone: 'UTC' } }
  const runtime = { engine, services, clock: Date.now } as unknown as Runtime
  const feed = new ChangeFeed(runtime, (error) => expect.unreachable(String(error)))
  const follow = async (cursor: string) => {
    const { client, response } = await heldResponse()
    const followed = { text: '', reads: 0, stream: new EventStream(response) }
    client.on('data', (chunk: Buffer) => (followed.text += String(chunk)))
    const read = async (after: string, limit: number) => {
      followed.reads++
      const { json } = await runOperation(runtime, readNewEvents, SERVICE, { after, limit })
      return JSON.parse(json) as FollowedEvents
    }
    const follower = new ChangeFollower(feed, followed.stream, { cursor, wanted: {}, read })
    const isCaughtUp = Promise.race([
      follower.catchUp().then(() => true),
      setTimeout(60_000, false, { ref: false }),
    ])
    return Object.assign(followed, { isCaughtUp: await isCaughtUp })
  }
  const ahead = await follow(`7${'Z'.repeat(25)}`)
  const other = await follow('')
  expect(other).toMatchObject({ isCaughtUp: true, reads: 1 })
  await create('two')
  changes.happened()
  await expect.poll(() => other.text).toMatch(/"one"[^]*"two"/)
  expect(ahead.text).not.toContain('data:')
  for (const { stream } of [ahead, other]) stream.close()
})

it('is waited for, and not asked without a pause, by one who reads from a base that is behind', async () => {
  const behind = await engineOn('behind.db')
  const changes = new ChangeWatch(null)
  const services = { changes, config: { time_zone: 'UTC' } }
  const runtimeOn = (of: Engine) => ({ engine: of, services, clock: Date.now }) as unknown as Runtime
  const feed = new ChangeFeed(runtimeOn(engine), (error) => expect.unreachable(String(error)))
  const all = new Listener()
  await create('one')
  feed.join(all, '')
  await expect.poll(() => all.taken).toEqual(['one'])

  let runtime = runtimeOn(behind.engine)
  let reads = 0
  const read = async (after: string, limit: number) => {
    reads++
    const { json } = await runOperation(runtime, readNewEvents, SERVICE, { after, limit })
    return JSON.parse(json) as FollowedEvents
  }
  const { client, response } = await heldResponse()
  let text = ''
  client.on('data', (chunk: Buffer) => (text += String(chunk)))
  const stream = new EventStream(response)
  const began = performance.now()
  const isCaughtUp = new ChangeFollower(feed, stream, { cursor: '', wanted: {}, read }).catchUp()
  await setTimeout(1000)
  runtime = runtimeOn(engine)
  await isCaughtUp
  expect(reads).toBeLessThanOrEqual((performance.now() - began) / 10)
  await expect.poll(() => text).toContain('"one"')
  stream.close()
  feed.leave(all)
  await behind.close()
})
