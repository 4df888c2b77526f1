import { refusal, unreachable } from './errors.ts'
import type { Patience } from './retry.ts'

export interface ClientOptions {
  /** Where the service is: `https://facet.example.org`. In a browser without it, where the page comes from. */
  url?: string | URL
  /** A key, or the token of an app. Without it the session of the browser. */
  key?: string
  /** In place of the platform's own. */
  fetch?: typeof fetch
  /** How often a call is sent again at most; default 4, 0 for never. */
  retries?: number
  /** Milliseconds that one call waits for its retries at most, altogether; default 60,000. */
  max_wait?: number
  /** Milliseconds after which a request without its whole answer is given up; default 120,000. */
  timeout?: number
}

export interface Connection {
  readonly url: string
  readonly patience: Patience
  readonly timeout: number
  /** Sends one request. @throws FacetError where it is refused or no answer comes */
  send(request: OneRequest): Promise<Response>
}

/** What a file is made of. Only a stream, which can be read once, is never sent again. */
export type FileBytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>

export interface OneRequest {
  method: string
  /** With the query. */
  path: string
  headers?: Record<string, string>
  /** JSON, where the headers say no other type. */
  body?: FileBytes | undefined
  signal: AbortSignal
}

/** Visible ASCII, as a header takes it. */
const KEY = /^[\x21-\x7e]+$/

export function connect(options: ClientOptions): Connection {
  const key = options.key ?? undefined
  const { retries = 4, max_wait = 60_000, timeout = 120_000 } = options
  // Called as a function of nothing: browsers refuse it as a method of anything else.
  const send = options.fetch ?? ((...words: Parameters<typeof fetch>) => fetch(...words))
  const url = addressOf(options.url)
  if (key !== undefined && !(typeof key === 'string' && KEY.test(key)))
    throw new TypeError('key: expected a key, without blanks')
  if (typeof (options.fetch ?? fetch) !== 'function') throw new TypeError('fetch: expected a function')
  for (const [name, value] of Object.entries({ retries, max_wait, timeout }))
    if (typeof value !== 'number' || !(value >= 0))
      throw new TypeError(`${name}: expected a number from 0 on`)
  return {
    url,
    patience: { retries, max_wait },
    timeout,
    async send({ path, headers, body, method, signal }) {
      const response = await lost(url, signal, () =>
        send(url + path, {
          method,
          signal,
          headers: {
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body }),
          // Node asks for it where the body is a stream; the types of browsers do not know it.
          ...(body instanceof ReadableStream && { duplex: 'half' }),
          credentials: key === undefined ? 'include' : 'omit',
          // A POST that follows one becomes a GET, and loses its key.
          redirect: 'manual',
        }),
      )
      if (response.ok) return response
      if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
        void response.body?.cancel()
        const to = response.headers.get('location')
        throw new TypeError(
          `url: ${url} leads elsewhere${to ? `, to ${to}` : ''}; give the address it leads to`,
        )
      }
      throw refusal(response, await lost(url, signal, () => response.text()))
    },
  }
}

/** What fails on the way is no answer; what the caller aborts stays what it is. */
export async function lost<T>(url: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw unreachable(url, error)
  }
}

/** Without a slash at its end. @throws TypeError */
function addressOf(given: string | URL | undefined): string {
  const here = (globalThis as { location?: { href: string } }).location?.href
  let url: URL
  try {
    url = new URL(given ?? '/', here)
  } catch {
    throw new TypeError(`url: expected the address of a service, got '${String(given)}'`)
  }
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`url: expected http or https, got '${url.protocol}'`)
  if (url.username || url.password)
    throw new TypeError('url: holds a name or password; a key goes into `key`')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
