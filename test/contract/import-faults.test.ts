import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { breakItem, mendItem } from '#test/support/broken-item.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { givenUp as givenUpBy, lookAt, mapTo, settled } from '#test/support/imports.ts'
import { type Service, startService } from '#test/support/service.ts'

const clock = new TestClock()
let service: Service
let client: Client
beforeAll(async () => {
  service = await startService({ clock: clock.now })
  client = await service.user()
})
afterAll(() => service.close())

const givenUp = (import_id: string) => givenUpBy(client, import_id, clock)

const countOf = async () =>
  (await client.ok('POST', '/api/items/aggregate', { filter: { name: { starts_with: 'Broken ' } } }))
    .total_items

it('an import at which the service fails is given up with a reason, and goes on once that is mended', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `Broken ${i},${i}`)
  const { body } = await lookAt(client, 'Broken.csv', ['name,n', ...rows].join('\n'))
  const at = `/api/imports/${body.import_id}`
  await mapTo(client, body.import_id, {})
  await breakItem(service.database_url, 'Broken 1700')
  expect(await client.post(`${at}/run`, {})).toMatchObject({ status: 202, body: { state: 'running' } })
  const failed = await givenUp(body.import_id)
  expect(failed).toMatchObject({
    state: 'failed',
    resumable: true,
    error: {
      code: 'InternalServerError',
      message: "The import could not go on, which was tried 6 times: a fault of the service's own",
      suggestion: expect.stringContaining(`'${body.import_id}'. Once it is mended, run it again`),
    },
  })
  const written = await countOf()
  expect(written).toBeGreaterThan(0)
  expect([failed.done, failed.created]).toEqual([written, written])

  await mendItem(service.database_url)
  expect((await client.post(`${at}/run`, {})).status).toBe(202)
  expect(await settled(client, body.import_id)).toMatchObject({
    state: 'done',
    done: 2000,
    created: 2000,
    error: null,
  })
  expect(await countOf()).toBe(2000)
  expect((await client.post(`${at}/run`, {})).status).toBe(409)
})

it('where nothing is written it stays ready, or failed if the file could not be looked at, and can be dropped', async () => {
  const content = 'name,n\nReady,1\n'
  const { body } = await lookAt(client, 'Ready.csv', content)
  const at = `/api/imports/${body.import_id}`
  await client.ok('PUT', at, {})
  for (const each of readdirSync(join(service.folder, 'files'), { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name)
    if (each.isFile() && readFileSync(path, 'utf8') === content) rmSync(path)
  }
  expect((await client.post(`${at}/run`, {})).status).toBe(202)
  clock.move({ ms: 1 })
  const unread = await client.post('/api/imports', { file_id: body.file_id })
  expect(unread.status).toBe(202)
  const message = expect.stringContaining(`6 times: What the file '${body.file_id}' holds is not there`)
  expect(await givenUp(body.import_id)).toMatchObject({
    state: 'ready',
    error: { code: 'ServiceUnavailable', message },
  })
  expect(await givenUp(unread.body.import_id)).toMatchObject({
    state: 'failed',
    error: { message, suggestion: expect.stringContaining('look at the file again') },
  })
  expect((await client.delete(`/api/imports/${unread.body.import_id}`)).status).toBe(200)
  expect((await client.delete(at)).status).toBe(200)
})
