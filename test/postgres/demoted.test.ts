import { afterAll, beforeAll, expect, it } from 'vitest'
import { isConnectionLoss } from '#src/sql/postgres-fault.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { type PostgresPair, startPostgresPair } from '#test/support/postgres-pair.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'

let pair: PostgresPair
let proxy: TcpProxy
let hosts: PostgresHosts

beforeAll(async () => {
  pair = await startPostgresPair()
  proxy = await startTcpProxy(pair.primary_url)
  hosts = new PostgresHosts(proxy.through(pair.primary_url), { max: 2 })
}, 120_000)
afterAll(async () => {
  await hosts.close()
  await proxy.close()
  await pair.close()
})

const read = () => hosts.use(async (pool) => (await pool.query('select 1')).rowCount)

it('reads nothing from a primary that became a standby while no query was on its way', async () => {
  expect(await read()).toBe(1)
  const pool = await hosts.primary()
  proxy.target = pair.standby_url
  proxy.cutAll()
  await expect.poll(() => pool.totalCount).toBe(0)
  const refused: unknown = await read().catch((error: unknown) => error)
  expect(refused).toMatchObject({ message: 'The server does not accept writes' })
  expect(isConnectionLoss(refused)).toBe(true)
  proxy.target = pair.primary_url
  expect(await read()).toBe(1)
})

it('ends what it had found, and looks for no other after that', async () => {
  const closing = new PostgresHosts(pair.primary_url, { max: 1 })
  await closing.primary()
  await closing.close()
  for (let time = 0; time < 2; time++)
    await expect(closing.use((pool) => pool.query('select 1'))).rejects.toThrow('Cannot use a pool')
})
