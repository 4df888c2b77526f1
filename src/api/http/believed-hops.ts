import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { reportedAddress } from '#src/auth/client-address.ts'
import type { Config } from '#src/config/config.ts'

/**
 * Whether what a hop says of the one before it is believed; hop 0 is the peer of the connection. A proxy appends to
 * what its client sent, so anyone who believes one hop too many lets each client choose its address, and with it escape
 * the limit on failed logins. No network is believed for being private: clients are in private networks too (decision 53).
 */
export function believedHops(
  trust_proxy: Config['trust_proxy'],
): false | ((address: string, hop: number) => boolean) {
  if (typeof trust_proxy === 'number') return trust_proxy > 0 && ((_, hop) => hop < trust_proxy)
  const networks = trust_proxy.map(networkOf)
  return (address) => {
    const plain = reportedAddress(address).replace(/%.*$/, '')
    if (!isIP(plain)) return false
    const hop = ipaddr.process(plain)
    return networks.some(([network, bits]) => hop.kind() === network.kind() && hop.match(network, bits))
  }
}

type Network = [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** An address is a network of one. */
function networkOf(text: string): Network {
  const [address = '', bits] = text.split('/')
  const whole = ipaddr.parse(address)
  const network = ipaddr.process(address)
  const all = network.kind() === 'ipv4' ? 32 : 128
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8
  const mapped = whole.kind() === network.kind() ? 0 : 96
  return [network, bits === undefined ? all : Math.max(0, Number(bits) - mapped)]
}
