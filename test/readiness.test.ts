import { execFileSync } from 'node:child_process'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let user: Client
beforeAll(async () => {
  service = await startService()
  user = await service.user()
})
afterAll(() => service.close())

const ready = () => service.client().get('/api/ready')
const write = () => user.post('/api/items', { name: 'x' })

it('is not ready while another program holds the file, and is again when it lets go', async () => {
  expect((await ready()).status).toBe(200)
  const other = new Database(service.database_url.slice('file:'.length))
  other.exec('begin immediate')
  expect(await write()).toMatchObject({ status: 503, body: { error: 'ServiceUnavailable' } })
  expect(await ready()).toMatchObject({ status: 503, body: { error: 'ServiceUnavailable' } })
  expect((await service.client().get('/api/health')).status).toBe(200)
  expect((await user.get('/api/items?limit=1')).status).toBe(200)
  other.exec('rollback')
  other.close()
  expect((await ready()).status).toBe(200)
  expect((await write()).status).toBe(200)
})

it('is not ready on a disk that takes no more, and is again when there is room', async () => {
  await using full = new ServiceProcess({ env: { LOG_LEVEL: 'silent' } })
  const client = new Client(await full.url())
  await client.ok('POST', '/api/auth/register', { email: 'full@example.org', password: 'correct horse' })
  /** As of a disk: no file of the process grows beyond it. */
  const limit = (bytes: string) => execFileSync('prlimit', [`--pid=${full.child.pid}`, `--fsize=${bytes}:`])
  const large = Array.from({ length: 60_000 }, (_, i) => (i * 7919).toString(36)).join(' ')
  const create = async () => (await client.post('/api/items', { name: 'x', description: large })).status
  const isReady = async () => (await client.get('/api/ready')).status
  limit('4000000')
  expect(await isReady()).toBe(200)
  await expect.poll(create, { timeout: 20_000 }).toBe(503)
  await expect.poll(async () => [await create(), await isReady()], { timeout: 20_000 }).toEqual([503, 503])
  expect((await client.get('/api/items?limit=1')).status).toBe(200)
  limit('unlimited')
  expect(await isReady()).toBe(200)
  expect(await create()).toBe(200)
})
