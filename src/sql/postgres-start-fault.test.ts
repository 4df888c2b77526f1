import { expect, it } from 'vitest'
import { PostgresHosts, urlsOf } from '#src/sql/postgres-hosts.ts'
import { orStartFault } from '#src/sql/postgres-start-fault.ts'

const cases: [url: string, told: string][] = [
  ['postgres://127.0.0.1:1/facet', '127.0.0.1:1'],
  ['postgres://ada@127.0.0.1:1/facet', '127.0.0.1:1'],
  ['postgres://ada:se%40cret@127.0.0.1:1/facet?application_name=a@b', '127.0.0.1:1'],
  ['postgres://ada:se@cret@127.0.0.1:1/facet', '127.0.0.1:1'],
  ['postgres://ada:se@c,ret@127.0.0.1:1,127.0.0.1:2/facet', '127.0.0.1:1,127.0.0.1:2'],
]
for (const [url, told] of cases)
  it(`reports the hosts of ${url} and of no password`, async () => {
    const hosts = new PostgresHosts(url, { max: 1 })
    await expect(orStartFault(url, () => hosts.primary())).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: expect.stringMatching(`^PostgreSQL at ${told} cannot be used: .*ECONNREFUSED`),
    })
  })

it('asks each host with the whole password', () => {
  expect(urlsOf('postgres://ada:se@c,ret@a:1, b/facet?x=1')).toEqual([
    'postgres://ada:se@c,ret@a:1/facet?x=1',
    'postgres://ada:se@c,ret@b/facet?x=1',
  ])
})
