import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '#src/auth/guarded-fetch.ts'

describe('isPublicAddress', () => {
  for (const address of ['93.184.216.34', '2606:2800:220:1::1', '2001:4860:4860::8888', '2a00:1450:4001::1'])
    it(`takes ${address}`, () => expect(isPublicAddress(address)).toBe(true))
  for (const address of [
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '::1',
    '::127.0.0.1',
    '::5efe:127.0.0.1',
    '2001:4860::5efe:10.0.0.1',
    '2001:4860::200:5efe:10.0.0.1',
    '100:0:0:1::1',
    '4000::1',
    'e000::1',
    'fd00::1',
    'fe80::1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    'none',
  ])
    it(`refuses ${address}`, () => expect(isPublicAddress(address)).toBe(false))
})
