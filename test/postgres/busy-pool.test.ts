import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isConnectionLoss, postgresFault } from '#src/sql/postgres-fault.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

let database: TestDatabase
let hosts: PostgresHosts

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  hosts = new PostgresHosts(database.url, { max: 2, connect_timeout: 300 })
})
afterAll(async () => {
  await hosts.close()
  await database.drop()
})

const backends = () =>
  hosts.use(
    async (pool) => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid,
  )

it('a call that waits too long for a connection is turned away, and the pool goes on with those it has', async () => {
  const before = await backends()
  const held = await hosts.use(async (pool) => [await pool.connect(), await pool.connect()])
  const refused: unknown = await backends().catch((error: unknown) => error)
  expect(postgresFault(refused)).toMatchObject({
    code: 'ServiceUnavailable',
    message: 'The database has more to do than it can take on',
  })
  expect(isConnectionLoss(refused)).toBe(false)
  for (const client of held) client.release()
  // The very connection of before: nothing was thrown away.
  const after = await Promise.all(Array.from({ length: 8 }, backends))
  expect(after).toContain(before)
  expect(new Set(after).size).toBeLessThanOrEqual(2)
})
