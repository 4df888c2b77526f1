import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
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
}, 60_000)
