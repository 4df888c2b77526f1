import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { canonicalJson } from '#src/json/canonical-json.ts'
import type { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

let service: Service
let owner: Client

beforeAll(async () => {
  service = await startService()
  owner = await service.user()
  const { email } = await owner.ok('GET', '/api/auth/me')
  for (let i = 0; i < 3; i++) {
    await owner.post('/api/auth/login', { email, password: 'wrong horse' })
    await owner.ok('POST', '/api/keys', { name: `Key ${i}`, scope: 'read' })
  }
  await unguard()
})
afterAll(() => service.close())

const run = (sql: string) => queryDatabase(service, sql)
const verify = (...words: string[]) => facet(service.database_url, 'audit', 'verify', ...words)

/** As somebody would who has the database. */
async function unguard(): Promise<void> {
  if (TEST_ENGINE === 'postgres') await run('alter table security_event disable trigger user')
  else for (const what of ['update', 'delete']) await run(`drop trigger security_event_no_${what}`)
}

const horizon = async () => (await run('select swept, head from security_log_horizon'))[0]!
const literal = (value: unknown) =>
  value === null ? 'null' : `'${`${value as string | number}`.replaceAll("'", "''")}'`
const put = (row: Record<string, unknown>) => {
  const columns = Object.keys(row)
  return run(
    `insert into security_event (${columns.join(', ')}) values (${columns.map((name) => literal(row[name])).join(', ')})`,
  )
}
const newest = async () => (await run('select * from security_event order by id desc limit 1'))[0]!

it('is verified with the audit log, and its head is in /metrics', async () => {
  const { code, out } = await verify('--json')
  expect(code).toBe(0)
  const { security } = JSON.parse(out)
  expect(security).toEqual({ hash: (await newest())['hash'], count: expect.any(Number), unchained: 0 })
  expect(security.count).toBeGreaterThan(6)
  expect((await verify()).out).toContain(
    `The security log holds: ${security.count} events\nIts head: ${security.hash}`,
  )
})

it.each([
  ['altered', `update security_event set address = '10.0.0.1' where id = 3`, 'it is not what was recorded'],
  ['without its hash', 'update security_event set previous = null, hash = null where id = 3', 'taken away'],
  ['deleted', 'delete from security_event where id = 3', 'one before it is missing'],
])('gives away an event that is %s', async (_what, sql, reason) => {
  const kept = await run('select * from security_event where id = 3')
  await run(sql)
  const { code, err } = await verify()
  expect(code).not.toBe(0)
  expect(err).toContain('of the security log does not fit')
  expect(err).toContain(reason)
  await run('delete from security_event where id = 3')
  await put(kept[0]!)
  expect((await verify()).code).toBe(0)
})

/** Does it to the base, and takes it back once `look` is over. */
async function tampered(sql: string, look: () => Promise<void>): Promise<void> {
  const [rows, kept] = [await run('select * from security_event'), await horizon()]
  await run(sql)
  await look()
  await run('delete from security_event')
  for (const row of rows) await put(row)
  await run(
    `update security_log_horizon set swept = ${literal(kept['swept'])}, head = ${literal(kept['head'])}`,
  )
  expect((await verify()).code).toBe(0)
}

it.each([
  ['the newest event', 'delete from security_event where id = (select max(id) from security_event)'],
  ['every event', 'delete from security_event'],
])('says that %s is missing, without a head to compare', async (_what, sql) => {
  await tampered(sql, async () => {
    const { code, err } = await verify()
    expect(code).not.toBe(0)
    expect(err).toContain('Events are missing at the end of the security log')
  })
})

it('says so behind newer events, too', async () => {
  const last = 'delete from security_event where id = (select max(id) from security_event)'
  await tampered(last, async () => {
    await owner.ok('POST', '/api/keys', { name: 'Behind the gap', scope: 'read' })
    const { code, err } = await verify()
    expect(code).not.toBe(0)
    expect(err).toContain('one before it is missing')
  })
})

/** An event like the newest one, behind another than that, as its own process had it. */
async function fork(event_id: string, previous: unknown): Promise<string> {
  const { id: _, hash: _own, ...row } = await newest()
  const forked = { ...row, event_id, previous }
  const own = hash('sha256', canonicalJson(forked))
  await put({ ...forked, hash: own })
  await run(`update security_log_horizon set head = '${own}'`)
  return own
}

it('tells forks, which processes of an older version made in turns, and looks at what is behind them', async () => {
  const [second, third] = await run('select hash from security_event where id in (2, 3) order by id')
  const ids = ['7ZZZZZZZZZZZZZZZZZZZZZZZZ0', '7ZZZZZZZZZZZZZZZZZZZZZZZZ1', '7ZZZZZZZZZZZZZZZZZZZZZZZZ2']
  await tampered('select 1', async () => {
    const before = (await newest())['hash']
    const own = await fork(ids[0]!, second!['hash'])
    const { code, err } = await verify()
    expect(code).not.toBe(0)
    expect(err).toContain(`The security log forks: event ${ids[0]} continues an earlier one`)
    await fork(ids[1]!, before)
    await fork(ids[2]!, own)
    const { security, fault } = JSON.parse((await verify('--json')).out)
    expect(security.forks).toEqual({ count: 3, first: ids[0], last: ids[2], loose: 1 })
    expect(fault).toMatchObject({
      message: expect.stringContaining(`3 events, the first of them ${ids[0]}`),
      suggestion: expect.stringContaining(`once SECURITY_LOG_DAYS has swept ${ids[2]}`),
    })
    // What was taken away, or altered, is another matter.
    await run(`update security_event set address = '10.0.0.1' where event_id = '${ids[2]}'`)
    expect((await verify()).err).toContain(`Event ${ids[2]} of the security log does not fit`)
    await run(`delete from security_event where hash = '${String(third!['hash'])}'`)
    expect((await verify()).err).toContain('one before it is missing or was put in')
  })
})

it('says that its first events are missing where nothing was swept', async () => {
  await tampered('delete from security_event where id <= 2', async () => {
    const { code, err } = await verify()
    expect(code).not.toBe(0)
    expect(err).toContain('one before it is missing')
  })
})

it('is compared with a head that was stored elsewhere', async () => {
  const then = (await newest())['hash'] as string
  await owner.ok('POST', '/api/keys', { name: 'After the head', scope: 'read' })
  expect((await verify('--head', then)).code).toBe(0)
  const { code, err } = await verify('--head', 'f'.repeat(64))
  expect(code).not.toBe(0)
  expect(err).toContain('The log does not continue')
})

it('goes on behind events from before it was chained', async () => {
  const unchain = 'update security_event set previous = null, hash = null where id <= 3'
  await tampered(unchain, async () => {
    expect((await verify()).err).toContain('one before it is missing')
    await run('update security_log_horizon set swept = (select previous from security_event where id = 4)')
    expect(JSON.parse((await verify('--json')).out).security).toMatchObject({ unchained: 3 })
  })
})
