import { expect, it } from 'vitest'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { startService } from '#test/support/service.ts'

const COLUMNS = 'insert into kept_answer (user_id, key, request_hash, answer, expires_at)'
const VALUES = `'x', repeat('a', 100), '9999-01-01T00:00:00.000Z'`
const LONG = 64 * 2 ** 20 - 10_000

it('answers under an Idempotency-Key take 1 GiB of an account, and their sum reads no answer', async () => {
  const service = await startService()
  try {
    const client = await service.user()
    const { user_id } = await client.ok('GET', '/api/auth/me')
    for (const sql of [
      `${COLUMNS} select '${user_id}', n, ${VALUES} from generate_series(1, 20000) as n`,
      // Compressed once, it is copied as it is.
      `update kept_answer set answer = repeat('a', ${LONG}) where key = '1'`,
      `${COLUMNS} select user_id, 'long ' || n, request_hash, answer, expires_at from kept_answer, generate_series(2, 16) as n where key = '1'`,
      'analyze kept_answer',
    ])
      await queryDatabase(service, sql)
    const items = Array.from({ length: 3000 }, (_, i) => ({ name: `Item ${i}` }))
    const make = (n: number) =>
      client.send('POST', '/api/items/bulk', { items: items.slice(0, n) }, { 'idempotency-key': `make ${n}` })
    // 16 × 10,000 bytes are left.
    expect(await make(2500)).toMatchObject({ status: 200 })
    const refused = await make(3000)
    expect(refused).toMatchObject({ status: 429, body: { error: 'TooManyRequests' } })
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(JSON.stringify(refused.body)).toContain('send it without a key')
    // What is short is not counted, and nothing of what was refused is there.
    expect(await make(10)).toMatchObject({ status: 200 })
    expect(await queryDatabase(service, 'select count(*)::int as items from item')).toEqual([{ items: 2510 }])
    const [row] = await queryDatabase(
      service,
      `explain (format json) select sum(octet_length(answer)) from kept_answer
       where user_id = '${user_id}' and expires_at > '2026' and octet_length(answer) > 65536`,
    )
    expect(JSON.stringify(row)).toContain('"kept_answer_long"')
  } finally {
    await service.close()
  }
})
