import { expect, it } from 'vitest'
import { trustsHop } from '#src/api/http/trusts-hop.ts'

const cases: [address: string, hop: number, trusted: boolean][] = [
  ['203.0.113.7', 0, true],
  ['203.0.113.7', 1, false],
  ['10.1.2.3', 1, true],
  ['172.31.0.1', 2, true],
  ['172.32.0.1', 1, false],
  ['192.168.1.1', 1, true],
  ['127.0.0.1', 1, true],
  ['::1', 1, true],
  ['fd00::1', 1, true],
  ['2001:db8::1', 1, false],
  ['::ffff:10.0.0.1', 1, true],
  ['nonsense', 1, false],
]
for (const [address, hop, trusted] of cases)
  it(`${trusted ? 'believes' : 'does not believe'} ${address} at hop ${hop}`, () => {
    expect(trustsHop(address, hop)).toBe(trusted)
  })
