import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SETTINGS } from '#src/config/read-config.ts'
import { SERVICE } from '#src/domain/caller.ts'
import type { Engine } from '#src/engine/engine.ts'
import type { PostgresStart } from '#src/engine/postgres-messages.ts'
import { connectionsOf, startPostgresEngine } from '#src/engine/postgres-engine.ts'
import type { WorkerStart } from '#src/engine/sqlite-messages.ts'
import type { StartThread } from '#src/engine/sqlite-thread-options.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { packedModule } from '../../scripts/pack.js'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

let database: TestDatabase
let engine: Engine
const threads = new Map<string, Worker>()
const started: string[] = []
const remarks: string[] = []

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  const module = fileURLToPath(await packedModule('worker'))
  const startThread: StartThread = (workerData: WorkerStart | PostgresStart, name: string) => {
    const worker = new Worker(module, { workerData, name })
    threads.set(name, worker)
    started.push(name)
    return worker
  }
  engine = await startPostgresEngine({
    url: database.url,
    startThread,
    run: sqlRunner([...sqlOperations]),
    newestId,
    log: (_, message) => remarks.push(message),
  })
})
afterAll(async () => {
  await engine.close()
  await database.drop()
})

const call = (name: string, input = {}) => ({ name, caller: SERVICE, input, now: Date.now() })
const search = () => engine.read(call(searchItems.name, { filter: { name: { eq: 'one' } }, limit: 1 }))
const create = (name: string) => engine.write(call(createTag.name, { name, fields: {} }))

it('a second thread of quick reads starts when two reads first meet', async () => {
  await search()
  await search()
  expect(started.filter((name) => name === 'postgres-reader')).toHaveLength(1)
  await Promise.all(Array.from({ length: 20 }, search))
  expect(started.filter((name) => name === 'postgres-reader')).toHaveLength(2)
})

it('a thread that dies is reported, answered for, and started again; the others go on', async () => {
  await create('before')
  await search()
  for (const [name, role, again] of [
    ['postgres-reader', 'read', search],
    ['postgres-writer', 'made this change', () => create('lost')],
  ] as const) {
    const died = threads.get(name)!
    const pending = Array.from({ length: 20 }, () => again().catch((error: Error) => error.message))
    await new Promise((resume) => setImmediate(resume)) // they are sent
    await died.terminate()
    const outcomes = await Promise.all(pending)
    for (const each of outcomes)
      if (typeof each === 'string') expect(each).toMatch(new RegExp(`stopped while it ${role}|exists`))
    expect(remarks).toContainEqual(expect.stringContaining('died and is started again'))
    // What comes next waits for the new thread.
    await search()
    await create(`after ${name}`)
    expect(threads.get(name)).not.toBe(died)
  }
})

it('what is looked up by key needs none of them', async () => {
  await Promise.all([...threads.values()].map((each) => each.terminate()))
  const missing = engine.readInline(call(getItem.name, { item_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }))
  await expect(missing).rejects.toMatchObject({ code: 'NotFound' })
})

it('a process that may open more connections than the server allows says so at its start', async () => {
  const { warnings } = await preparePostgres(
    database.url,
    undefined,
    connectionsOf({ read: 5000, lookup: 4 }),
  )
  expect(warnings).toEqual([expect.stringMatching(/^This process may open 5010 connections .* allows \d+/)])
  expect((await preparePostgres(database.url, undefined, connectionsOf())).warnings).toEqual([])
})

it('the pages count the connections of a process as it does', () => {
  const page = readFileSync('docs/how-to/run-several-processes.md', 'utf8')
  const besides = connectionsOf({ read: 0, lookup: 0 })
  expect(page).toContain(`and ${besides} for writes, LISTEN`)
  expect(page).toContain(`${connectionsOf()} in all`)
  expect(SETTINGS.READ_CONNECTIONS.meaning).toContain(`there are ${besides} besides`)
})
