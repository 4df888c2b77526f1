import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Of a program on the same machine. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return isIP(plain) !== 0 && ipaddr.process(plain).range() === 'loopback'
}

/** Whom an address stands for: an IPv4 address for itself, an IPv6 address for its /64, which one customer has whole. */
export function addressGroup(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (!isIP(plain)) return plain
  // ::ffff:192.0.2.1 is how a dual-stack socket shows an IPv4 address.
  const parsed = ipaddr.process(plain)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
