import { expect, it } from 'vitest'
import { isIssuer } from '#src/auth/identity-provider.ts'
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

const issuers: [configured: string, issuer: string, is: boolean][] = [
  ['https://id.example', 'https://id.example/', true],
  ['https://id.example/a', 'https://id.example/b', false],
  ['https://id.example', 'no address', false],
  ['https://id.example/.well-known/openid-configuration', 'https://other.example', true],
  ['https://login.microsoftonline.com/common/v2.0', 'https://login.microsoftonline.com/1a2b/v2.0', true],
]
for (const [configured, issuer, is] of issuers)
  it(`${configured} ${is ? 'may be' : 'is not'} ${issuer}`, () =>
    expect(isIssuer(configured, issuer)).toBe(is))
