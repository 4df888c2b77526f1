import { request } from 'undici'

/** What `fetch` adds by itself, but for the encodings that it takes. */
const OF_FETCH = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on, not typed
export interface Answer<T = any> {
  status: number
  headers: Headers
  /** Parsed where it is JSON, else text. */
  body: T
}

/** A small HTTP client that keeps cookies by hand: `Secure` ones do not travel over plain http in jars. */
export class Client {
  readonly url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string) {
    this.url = url
  }

  get = (path: string, headers?: RequestInit['headers']) => this.send('GET', path, undefined, headers)
  post = (path: string, body?: unknown, headers?: RequestInit['headers']) =>
    this.send('POST', path, body, headers)
  put = (path: string, body?: unknown, headers?: RequestInit['headers']) =>
    this.send('PUT', path, body, headers)
  delete = (path: string, body?: unknown, headers?: RequestInit['headers']) =>
    this.send('DELETE', path, body, headers)

  /** A body that is not undefined goes as JSON. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers?: RequestInit['headers'],
  ): Promise<Answer> {
    const sent = new Headers(headers)
    if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json')
    const answer = await this.exchange(method, path, {
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json = answer.headers.get('content-type')?.startsWith('application/json') && answer.text
    return { status: answer.status, headers: answer.headers, body: json ? JSON.parse(json) : answer.text }
  }

  /** As `fetch` in a third of the computing, for whoever wants the whole answer. */
  async exchange(
    method: string,
    path: string,
    { headers = new Headers(), body }: { headers?: Headers; body?: string | Buffer } = {},
  ): Promise<{ status: number; headers: Headers; text: string }> {
    this.identify(headers)
    for (const [name, value] of Object.entries(OF_FETCH)) if (!headers.has(name)) headers.set(name, value)
    try {
      const response = await request(this.url + path, {
        method,
        headers: Object.fromEntries(headers),
        body: body ?? null,
      })
      const received = new Headers(
        Object.entries(response.headers).flatMap(([name, values]) =>
          [values ?? []].flat().map((value): [string, string] => [name, value]),
        ),
      )
      for (const line of received.getSetCookie()) this.keep(line)
      return { status: response.statusCode, headers: received, text: await response.body.text() }
    } catch (cause) {
      throw new TypeError('fetch failed', { cause })
    }
  }

  /** The body of an answer that must be 200. */
  async ok(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.send(method, path, body)
    if (answer.status !== 200)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** With the cookies; redirects are not followed. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    this.identify(headers)
    const response = await fetch(this.url + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) this.keep(line)
    return response
  }

  /** Says who asks. */
  protected identify(headers: Headers): void {
    if (this.cookies.size && !headers.has('cookie')) headers.set('cookie', this.cookieHeader)
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value && !/;\s*max-age=0/i.test(line)) this.cookies.set(name, value)
    else this.cookies.delete(name)
  }
}
