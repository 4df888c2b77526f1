import { isIPv6 } from 'node:net'

/** Whom an address stands for: an IPv4 address for itself, an IPv6 address for its /64, which one customer has whole. */
export function addressGroup(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const groups = expand(plain)
  const [mapped, high, low] = [groups.slice(0, 6), groups[6]!, groups[7]!]
  // ::ffff:192.0.2.1 is how a dual-stack socket shows an IPv4 address.
  if (mapped.every((group, i) => group === (i === 5 ? 0xffff : 0)))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight 16-bit groups. */
function expand(address: string): number[] {
  const [head = '', tail] = withoutDots(address).split('::')
  const parse = (part: string) => (part ? part.split(':').map((group) => parseInt(group, 16)) : [])
  const [left, right] = [parse(head), parse(tail ?? '')]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

const withoutDots = (address: string) =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.map(Number) as [number, number, number, number]
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
