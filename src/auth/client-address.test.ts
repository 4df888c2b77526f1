import { describe, expect, it } from 'vitest'
import { addressGroup, reportedAddress } from '#src/auth/client-address.ts'

const cases: [address: string, group: string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
]

describe('addressGroup', () => {
  for (const [address, group] of cases)
    it(`takes ${address} for ${group}`, () => {
      expect(addressGroup(address)).toBe(group)
    })
})

const reported: [text: string, address: string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[fe80::1%eth0]:4711', 'fe80::1%eth0'],
  ['[::ffff:192.0.2.1]:4711', '::ffff:192.0.2.1'],
  ['[192.0.2.1', 'unknown'],
  ['999.0.2.1:80', 'unknown'],
  ['_hidden', 'unknown'],
  ['', 'unknown'],
]

describe('reportedAddress', () => {
  for (const [text, address] of reported)
    it(`takes ${JSON.stringify(text)} for ${address}`, () => {
      expect(reportedAddress(text)).toBe(address)
    })
})
