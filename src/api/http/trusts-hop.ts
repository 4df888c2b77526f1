import { BlockList, isIPv6 } from 'node:net'

const OWN_NETWORKS = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  OWN_NETWORKS.addSubnet(network, prefix)
OWN_NETWORKS.addAddress('::1', 'ipv6')
OWN_NETWORKS.addSubnet('fc00::', 7, 'ipv6')
OWN_NETWORKS.addSubnet('fe80::', 10, 'ipv6')

/**
 * With TRUST_PROXY: whether what this hop says of the one before it is believed. The peer itself is the proxy; behind
 * it only addresses of one's own networks are. Whoever believes every entry of X-Forwarded-For lets each client choose
 * its address, and with it escape the limit on failed logins.
 */
export function trustsHop(address: string, hop: number): boolean {
  return hop === 0 || OWN_NETWORKS.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
