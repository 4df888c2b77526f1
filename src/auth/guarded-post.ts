import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress, MAX_HEADERS, privateLookup, publicLookup } from '#src/auth/guarded-fetch.ts'
import type { Agent, Dispatcher } from 'undici'

export interface GuardedPostOptions {
  /** Private and loopback addresses too, and http to those. */
  private: boolean
  /** Milliseconds until the answer's head is there. */
  timeout: number
  /** Ends it early. */
  signal?: AbortSignal | undefined
}

/** Bytes of an answer that are read, so that the other side can end in peace; they say nothing to us. */
const MAX_ANSWER = 64 * 1024
/** Milliseconds for that. */
const REST = 1000

/**
 * Posts to an address that an owner named, as `guardedFetch` fetches: from no private address, without following
 * redirects, in a bounded time. The status is all that counts of the answer.
 * @throws Error that says what was wrong, in a few words
 */
export async function guardedPost(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { private: anywhere, timeout, signal }: GuardedPostOptions,
): Promise<{ status: number }> {
  const url = new URL(address)
  const lookup = lookupFor(url, anywhere)
  const { Agent, request } = await import('undici')
  const agent: Agent = new Agent({
    connect: { timeout, ...(lookup && { lookup }) },
    maxHeaderSize: MAX_HEADERS,
    // The signal bounds all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const late = AbortSignal.timeout(timeout)
  try {
    const { statusCode, body: answer } = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers,
      body,
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    await readSome(answer)
    return { status: statusCode }
  } catch (error) {
    if (late.aborted) throw new Error(`no answer within ${timeout / 1000} s`, { cause: error })
    throw new Error(inWords(error), { cause: error })
  } finally {
    void agent.destroy()
  }
}

/** Undefined: wherever it leads. @throws Error where an address that is no name is refused */
function lookupFor({ protocol, hostname }: URL, anywhere: boolean): LookupFunction | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'https:') {
    if (anywhere) return undefined
    if (isIP(host) && !isPublicAddress(host)) throw new Error('the address is private')
    return publicLookup
  }
  if (protocol !== 'http:' || !anywhere) throw new Error('only https addresses are called')
  if (isIP(host) && isPublicAddress(host)) throw new Error('a public address takes https')
  return privateLookup
}

/** Whatever goes wrong with the rest of an answer, its status stays. */
async function readSome(answer: Dispatcher.ResponseData['body']): Promise<void> {
  const enough = setTimeout(() => answer.destroy(), REST)
  try {
    let length = 0
    for await (const chunk of answer) {
      length += (chunk as Buffer).length
      if (length > MAX_ANSWER) break
    }
  } catch {
    // cut off, or broken
  } finally {
    clearTimeout(enough)
    answer.on('error', () => {}).destroy()
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'the name could not be looked up',
  EINVAL: 'nothing can have this address',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  UND_ERR_HEADERS_OVERFLOW: 'the head of the answer is too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the port does not speak TLS (https)',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the port does not speak TLS (https)',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate cannot be verified',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
}

function inWords(error: unknown): string {
  const { code, message, name, reason } = error as NodeJS.ErrnoException & { reason?: string }
  if (code !== undefined && Object.hasOwn(WORDS, code)) return WORDS[code]!
  if (code?.startsWith('HPE_') || name === 'HTTPParserError') return 'the answer is no HTTP'
  if (code?.startsWith('ERR_SSL_') && reason) return `TLS failed: ${reason.slice(0, 200)}`
  return (message || 'it failed').slice(0, 200)
}
