import type { Answer } from '#test/support/client.ts'

interface Cookie {
  value: string
  same_site: string
}

export interface Landing {
  /** Where the browser is. */
  url: string
  status: number
  body: string
  headers: Headers
  /** What a form that was sent to this address holds, where it was. */
  form: string | undefined
  /** Every address on the way. */
  trail: string[]
}

interface PageRequest {
  url: string
  form: string | undefined
  /** The page whose form it is. */
  from: string | undefined
}

const MAX_HOPS = 12

/**
 * A browser without its engine: keeps cookies by host, follows redirects, sends a form that sends itself, and leaves
 * SameSite=Lax cookies behind when another site posts (RFC 6265bis §5.6.7.1). Takes every `Secure` cookie back to
 * loopback hosts, as browsers do.
 */
export class Browser {
  private readonly jars = new Map<string, Map<string, Cookie>>()

  /** Goes to the address and on, until an answer is no redirect or `stop` says so. */
  async visit(address: string, { stop }: { stop?: (url: string) => boolean } = {}): Promise<Landing> {
    let request: PageRequest = { url: address, form: undefined, from: undefined }
    const trail: string[] = []
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      trail.push(request.url)
      if (stop?.(request.url)) return { ...request, status: 0, body: '', headers: new Headers(), trail }
      const response = await this.fetch(request)
      const body = await response.text()
      const location = response.headers.get('location')
      const form = location ? null : selfSending(body)
      if (location) request = { url: new URL(location, request.url).href, form: undefined, from: undefined }
      else if (form) request = { url: form.action, form: form.fields.toString(), from: request.url }
      else return { ...request, status: response.status, body, headers: response.headers, trail }
    }
    throw new Error(`no end after ${MAX_HOPS} hops: ${trail.at(-1)}`)
  }

  cookie(address: string, name: string): string | undefined {
    return this.jar(address).get(name)?.value
  }

  setCookie(address: string, name: string, value: string, same_site = 'Lax'): void {
    this.jar(address).set(name, { value, same_site })
  }

  /** One request as the browser would make it, with JSON for a body. */
  async send(method: string, address: string, body?: unknown): Promise<Pick<Answer, 'status' | 'body'>> {
    const response = await fetch(address, {
      method,
      redirect: 'manual',
      headers: {
        cookie: this.cookieHeader(address, false),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    this.keep(address, response)
    const text = await response.text()
    return {
      status: response.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
  }

  private async fetch({ url, form, from }: PageRequest): Promise<Response> {
    const crossSite = from !== undefined && new URL(from).hostname !== new URL(url).hostname
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        cookie: this.cookieHeader(url, crossSite),
        ...(form !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(from!).origin,
          'sec-fetch-site': crossSite ? 'cross-site' : 'same-origin',
        }),
      },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    this.keep(url, response)
    return response
  }

  private cookieHeader(address: string, crossSitePost: boolean): string {
    return [...this.jar(address)]
      .filter(([, { same_site }]) => !crossSitePost || same_site === 'None')
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }

  private keep(address: string, response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const at = pair.indexOf('=')
      const same_site = attributes.find((each) => /^samesite=/i.test(each))?.split('=')[1] ?? 'Lax'
      const gone = attributes.some(
        (each) => /^max-age=0$/i.test(each) || /^expires=thu, 01 jan 1970/i.test(each),
      )
      if (gone) this.jar(address).delete(pair.slice(0, at))
      else
        this.setCookie(
          address,
          pair.slice(0, at),
          pair.slice(at + 1),
          same_site[0]!.toUpperCase() + same_site.slice(1),
        )
    }
  }

  private jar(address: string): Map<string, Cookie> {
    const { host } = new URL(address)
    const known = this.jars.get(host) ?? new Map<string, Cookie>()
    this.jars.set(host, known)
    return known
  }
}

/** A page whose script submits its form (OAuth 2.0 Form Post Response Mode §2). */
function selfSending(html: string): { action: string; fields: URLSearchParams } | null {
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1]
  if (!action || !html.includes('submit()')) return null
  const inputs = [...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)]
  return {
    action: unescape(action),
    fields: new URLSearchParams(inputs.map(([, name, value]) => [name!, unescape(value!)])),
  }
}

const unescape = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
