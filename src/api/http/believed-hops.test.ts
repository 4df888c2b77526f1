import { describe, expect, it } from 'vitest'
import { believedHops } from '#src/api/http/believed-hops.ts'

const cases: [trust_proxy: number | string[], address: string, hop: number, believed: boolean][] = [
  [1, '203.0.113.7', 0, true],
  [1, '10.1.2.3', 1, false],
  [1, '127.0.0.1', 1, false],
  [2, '10.1.2.3', 1, true],
  [2, '10.1.2.3', 2, false],
  [['10.0.0.2'], '10.0.0.2', 0, true],
  [['10.0.0.2'], '::ffff:10.0.0.2', 0, true],
  [['10.0.0.2'], '10.0.0.3', 0, false],
  [['10.0.0.2', '192.0.2.0/24'], '192.0.2.77', 1, true],
  [['fd00::/64'], 'fd00::5', 0, true],
  [['fd00::/64'], 'fd00:0:0:1::5', 0, false],
  [['fe80::1'], 'fe80::1%eth0', 0, true],
  [['::ffff:10.0.0.0/104'], '10.255.0.1', 0, true],
  [['0.0.0.0/0'], '::1', 0, false],
  [['10.0.0.2'], '10.0.0.2:4711', 1, true],
  [['fd00::/64'], '[fd00::5]:4711', 1, true],
  [['10.0.0.2'], 'nonsense', 0, false],
]
describe('believedHops', () => {
  for (const [trust_proxy, address, hop, believed] of cases)
    it(`of ${JSON.stringify(trust_proxy)} ${believed ? 'has' : 'has not'} ${address} at hop ${hop}`, () => {
      expect((believedHops(trust_proxy) as (address: string, hop: number) => boolean)(address, hop)).toBe(
        believed,
      )
    })

  it('are none without a proxy', () => {
    expect(believedHops(0)).toBe(false)
  })
})
