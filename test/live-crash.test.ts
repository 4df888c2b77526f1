import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Random } from '#bench/random.ts'
import { Client } from '#test/support/client.ts'
import { addUp } from '#test/support/live-stream.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { testDatabase } from '#test/support/test-database.ts'
import { runs } from '#test/support/runs.ts'

const TEST_SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 1e6))
const KILLS = runs(2, 4)
const ITEMS = 12
const FILTERS = [
  { 'Task.stage': { gte: 2 } },
  { 'Task.project->Project.active': true },
  { and: [{ 'Task.stage': { lt: 3 } }, { not: { 'Task.project->Project.active': true } }] },
]

describe(`kill -9 of the service (TEST_SEED=${TEST_SEED})`, () => {
  it('streams go on without loss where the service is killed amid writes', async () => {
    const random = new Random(TEST_SEED)
    const folder = mkdtempSync(join(tmpdir(), 'facet-live-crash-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const database = await testDatabase(folder)
    onTestFinished(() => database.drop())
    const start = () => new ServiceProcess({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent' } })
    let service = start()
    onTestFinished(() => service[Symbol.asyncDispose]())
    let client = new Client(await service.url())
    await client.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
    const project = await client.ok('POST', '/api/tags', { name: 'Project', fields: { active: 'Boolean' } })
    const fields = { stage: 'Number', project: 'Reference' }
    const task = await client.ok('POST', '/api/tags', { name: 'Task', fields })
    const make = async (name: string, tag: string, field_values: object): Promise<string> =>
      (await client.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: tag }, field_values }] }))
        .item_id
    const projects = [
      await make('one', 'Project', { active: true }),
      await make('two', 'Project', { active: false }),
    ]
    const tasks: string[] = []
    const begin = (await client.post('/api/items/search', { limit: 1 })).headers.get('x-event-id')!
    const streams = FILTERS.map((filter) => addUp(() => client, filter, begin))
    for (let i = 0; i < ITEMS; i++)
      tasks.push(await make(`${i}`, 'Task', { stage: i % 4, project: projects[i % 2] }))

    const put = (item_id: string, tag_id: string, field_values: object) =>
      client.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, { field_values, merge: true }).catch(() => {})
    const write = (): Promise<unknown> =>
      random.chance(0.15)
        ? put(random.pick(projects), project.tag_id, { active: random.chance(0.5) })
        : put(random.pick(tasks), task.tag_id, { stage: random.below(5), project: random.pick(projects) })
    const opened = (times: number) =>
      expect
        .poll(() => Math.min(...streams.map((each) => each.opened())), { timeout: 20_000 })
        .toBeGreaterThanOrEqual(times)
    for (let kill = 0; kill < KILLS; kill++) {
      await opened(kill + 1)
      const writers = Array.from({ length: 4 }, async () => {
        while (service.child.signalCode === null) await write()
      })
      await setTimeout(150 + random.below(250))
      service.child.kill('SIGKILL')
      await service.ended
      await Promise.all(writers)
      service = start()
      const url = await service.url()
      const next = new Client(url)
      for (const [name, value] of client.cookies) next.cookies.set(name, value)
      client = next
    }
    for (const [n, filter] of FILTERS.entries()) {
      const found: { item_id: string }[] = await client.ok('POST', '/api/items/search', {
        filter,
        limit: 100,
      })
      const expected = found.toSorted((a, b) => (a.item_id < b.item_id ? -1 : 1))
      await expect.poll(() => streams[n]!.items(), { timeout: 10_000 }).toEqual(expected)
    }
    await opened(KILLS + 1)
    await Promise.all(streams.map((each) => each.stop()))
  })
})
