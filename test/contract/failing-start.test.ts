import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, expect, it, vi } from 'vitest'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { startService } from '#test/support/service.ts'
import { TEST_ENGINE, testDatabase } from '#test/support/test-database.ts'

const folder = mkdtempSync(`${tmpdir()}/facet-failing-`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a start whose port is taken leaves nothing open: neither lock, nor connections, nor threads', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const database = await testDatabase(folder)
  const env = { DATABASE_URL: database.url }
  await expect(startService({ env: { ...env, PORT: `${port}` } })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  if (TEST_ENGINE === 'postgres') {
    const connections = `select count(*)::int as n from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid()`
    await expect
      .poll(async () => (await queryDatabase({ database_url: database.url }, connections))[0])
      .toEqual({ n: 0 })
  }
  const service = await startService({ env })
  expect((await service.client().get('/api/ready')).status).toBe(200)
  await service.close()
  await database.drop()
  other.close()
})

it('a free port that somebody takes before the service listens is left for another', async () => {
  // Whoever looked for it stays where it is.
  const close = vi.spyOn(Server.prototype, 'close').mockImplementationOnce(function (this: Server, done) {
    done?.()
    return this
  })
  const service = await startService()
  const [taken] = close.mock.contexts as Server[]
  close.mockRestore()
  expect(taken!.address()).not.toMatchObject({ port: Number(new URL(service.url).port) })
  expect((await service.client().get('/api/ready')).status).toBe(200)
  await service.close()
  taken!.close()
})
