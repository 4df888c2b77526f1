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
    const response = await this.fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(new Headers(headers)),
      },
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json') && text
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
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
    if (this.cookies.size && !headers.has('cookie')) headers.set('cookie', this.cookieHeader)
    const response = await fetch(this.url + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) this.keep(line)
    return response
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value && !/;\s*max-age=0/i.test(line)) this.cookies.set(name, value)
    else this.cookies.delete(name)
  }
}
