import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What stands for every address that cannot be read: together they are one. */
const UNREADABLE = 'unknown'

/** An address as a proxy may report it: some add the port, and put IPv6 in brackets. */
export function reportedAddress(text: string): string {
  const address = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) ? address : UNREADABLE
}

/** Of a program on the same machine. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return isIP(plain) !== 0 && ipaddr.process(plain).range() === 'loopback'
}

/** Networks that one customer may have whole, with how much more than a single address they may ask for. */
export interface Network {
  /** `addressGroup` of its addresses lies from here ... */
  from: string
  /** ... to before here. */
  to: string
  includes(group: string): boolean
  share: number
}

/** The networks of a group: of IPv4 the address and its /24, of IPv6 the /64, /56 and /48; widest last. */
export function networksOf(group: string): Network[] {
  const own = { from: group, to: `${group}!`, includes: (other: string) => other === group, share: 1 }
  const [a, b, c, d = ''] = group.split(/[.:]/)
  // What follows a dot or a colon among the characters closes the range.
  if (isIP(group)) return [own, within(`${a}.${b}.${c}.`, `${a}.${b}.${c}/`, 4)]
  if (!group.endsWith('::/64')) return [own]
  const site = within(`${a}:${b}:${c}:`, `${a}:${b}:${c};`, 4)
  const byte = highByte(d)
  const customer = {
    ...site,
    share: 2,
    includes: (other: string) => highByte(other.split(':')[3] ?? '') === byte,
  }
  return [own, customer, site]
}

const within = (from: string, to: string, share: number): Network => ({
  from,
  to,
  includes: () => true,
  share,
})
const highByte = (part: string) => Number.parseInt(part || '0', 16) >> 8

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
