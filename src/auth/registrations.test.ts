import { expect, it } from 'vitest'
import { registrationKey } from '#src/auth/registration.ts'

const cases: [address: string, key: string | null][] = [
  ['192.0.2.1', 'registrations 192.0.2.1'],
  ['::ffff:192.0.2.1', 'registrations 192.0.2.1'],
  ['2001:db8:1:2::7', 'registrations 2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'registrations fe80:0:0:0::/64'],
  ['127.0.0.1', null],
  ['::ffff:127.0.0.5', null],
  ['::1', null],
  ['', null],
]
for (const [address, key] of cases)
  it(`registrations from '${address}' count under ${key}`, () => expect(registrationKey(address)).toBe(key))
