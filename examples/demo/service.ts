/** A signed-in client of a running Facet, over its REST API like any other. */
export class Service {
  private readonly url: string
  private cookie = ''

  constructor(url: string) {
    this.url = url.replace(/\/$/, '')
  }

  /** @throws Error that says what the service answered. */
  async request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.send(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
    return JSON.parse(text || 'null') as Answer
  }

  /** The matches of a filter, at most `limit` of them, and how many there are. */
  async search<Item>(filter: unknown, limit: number): Promise<{ items: Item[]; total: number }> {
    const response = await this.send('POST', '/api/items/search', { filter, limit, count: true })
    if (!response.ok) throw new Error(`the search answered ${response.status}: ${await response.text()}`)
    return { items: (await response.json()) as Item[], total: Number(response.headers.get('x-total-count')) }
  }

  /** @throws Error that says what the service answered, and what to give. */
  async register(email: string, password: string): Promise<{ role: string }> {
    const response = await this.send('POST', '/api/auth/register', { email, password })
    if (!response.ok)
      throw new Error(
        `could not make the account ${email}: give --email and --password of one that is there\n${await response.text()}`,
      )
    this.keepCookie(response)
    return (await response.json()) as { role: string }
  }

  /** Registers the account, or signs in where it exists. */
  async signIn(email: string, password: string): Promise<void> {
    const registered = await this.send('POST', '/api/auth/register', { email, password })
    const response = registered.ok
      ? registered
      : await this.send('POST', '/api/auth/login', { email, password })
    if (!response.ok) throw new Error(`could not register ${email} or sign in: ${await response.text()}`)
    this.keepCookie(response)
  }

  private keepCookie({ headers }: Response): void {
    this.cookie = headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
  }

  private async send(method: string, path: string, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = { cookie: this.cookie }
    if (body !== undefined) headers['content-type'] = 'application/json'
    try {
      return await fetch(this.url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (cause) {
      throw new Error(`no answer from ${this.url}: is Facet running there? Start it with: npm start`, {
        cause,
      })
    }
  }
}
