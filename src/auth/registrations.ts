import ipaddr from 'ipaddr.js'
import { addressGroup } from '#src/auth/client-address.ts'
import type { FailureLimit } from '#src/auth/login-failures.ts'

/** From one address (IPv6: one /64): accounts that are asked for without an invitation, whether or not they are made. */
export const REGISTRATIONS: FailureLimit = { max: 50, window: 60 * 60 * 1000 }

/** Under what they are counted; null: of this machine, where scripts work and where a proxy without TRUST_PROXY is. */
export function registrationKey(address: string): string | null {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain) || ipaddr.process(plain).range() === 'loopback') return null
  return `registrations ${addressGroup(address)}`
}
