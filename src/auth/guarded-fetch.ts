import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent, Response } from 'undici'

/** Bytes. */
export const MAX_HEADERS = 16 * 1024

export interface GuardedFetchOptions {
  /** Private and loopback addresses too. */
  private: boolean
  /** Milliseconds until the whole answer is there. */
  timeout: number
  /** Bytes of the answer. */
  limit: number
}

/**
 * Fetches what a stranger named: over https, from no private address (the one that is checked is the one connected to),
 * without following redirects, in a bounded time and size.
 * @throws Error that says what was refused
 */
export async function guardedFetch(
  address: string,
  headers: Record<string, string>,
  { private: anywhere, timeout, limit }: GuardedFetchOptions,
): Promise<{ status: number; headers: Headers; body: Buffer }> {
  const url = new URL(address)
  if (url.protocol !== 'https:') throw new Error('only https addresses are fetched')
  if (!anywhere && namesPrivateAddress(address)) throw new Error('the address is private')
  const { Agent, fetch } = await import('undici')
  const agent: Agent = new Agent({
    connect: { timeout, ...(!anywhere && { lookup: publicLookup }) },
    maxHeaderSize: MAX_HEADERS,
  })
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, { headers, redirect: 'manual', dispatcher: agent, signal })
    const body = await readWithin(response, limit)
    return { status: response.status, headers: new Headers([...response.headers]), body }
  } finally {
    void agent.destroy()
  }
}

/** Whether a URL has a private address in place of a name. */
export function namesPrivateAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/** What a cloud's own host answers on, to its guests alone; it looks public. */
const CLOUD_HOSTS = new Set(['168.63.129.16'])

/** Whether an address belongs to the public internet: not private, loopback, link-local, multicast, a tunnel, or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (!(parsed instanceof ipaddr.IPv6)) return !CLOUD_HOSTS.has(parsed.toString())
  const [first = 0, , , , interfaceId = 0, isatap] = parsed.parts
  // Nothing else is given out (RFC 4291 §2.4). An ISATAP address leads to the IPv4 address in it (RFC 5214 §6.1).
  return first >> 13 === 1 && !((interfaceId & ~0x0200) === 0 && isatap === 0x5efe)
}

/** Looks a name up for a connection, which goes to the very addresses that were checked. */
const lookupOf =
  (isRefused: (address: string) => boolean, refusal: string): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      const refused = found.find(({ address }) => isRefused(address))
      if (refused || !found.length) return done(new Error(refusal), [])
      if (options.all) return done(null, found)
      done(null, found[0]!.address, found[0]!.family)
    })
  }

export const publicLookup = lookupOf(
  (address) => !isPublicAddress(address),
  'the name leads to a private address',
)
export const privateLookup = lookupOf(
  isPublicAddress,
  'the name leads to a public address, which takes https',
)

async function readWithin({ body }: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > limit) throw new Error(`the answer is longer than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
