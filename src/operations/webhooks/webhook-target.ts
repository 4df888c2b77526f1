import { isIP } from 'node:net'
import { isPublicAddress } from '#src/auth/guarded-fetch.ts'
import { invalid } from '#src/domain/errors.ts'

/**
 * The address as it is kept. Names are looked up when something is sent: what they lead to may change at any time.
 * @throws BadRequest
 */
export function webhookTarget(given: string, anywhere: boolean): string {
  const refuse = (message: string) => {
    const suggestion = anywhere
      ? 'Give an address like https://example.org/hook'
      : 'Give an address on the public internet, like https://example.org/hook; for a closed network set WEBHOOK_PRIVATE=true'
    return invalid([{ path: 'url', message }], { suggestion })
  }
  if (!URL.canParse(given)) throw refuse('not an address')
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('must begin with https://')
  if (url.protocol === 'http:' && !anywhere) throw refuse('must begin with https://')
  if (url.username || url.password) throw refuse('must not name a user or a password')
  if (given.includes('#')) throw refuse('must not have a fragment (#…)')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!anywhere && (isLocalName(host) || (isIP(host) && !isPublicAddress(host))))
    throw refuse('leads to a private address')
  if (anywhere && url.protocol === 'http:' && isIP(host) && isPublicAddress(host))
    throw refuse('a public address takes https')
  return url.href
}

/** RFC 6761 §6.3. */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host)
