import { createHash, randomBytes } from 'node:crypto'
import type { Client } from '#test/support/client.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
export const REDIRECT = 'http://127.0.0.1:8912/callback'

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

/** A program that asks for access over HTTP, step by step, without a browser's engine. */
export class OauthApp {
  readonly url: string
  client_id = ''

  constructor(url: string, client_id = '') {
    this.url = url
    this.client_id = client_id
  }

  get resource(): string {
    return `${this.issuer}/api/mcp`
  }
  issuer = ''

  async discover(): Promise<void> {
    const response = await fetch(`${this.url}/.well-known/oauth-authorization-server`)
    this.issuer = ((await response.json()) as { issuer: string }).issuer
  }

  async register(metadata: object = {}) {
    const response = await fetch(`${this.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'An <app>',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        ...metadata,
      }),
    })
    const body = (await response.json()) as Record<string, string>
    if (response.status === 201) this.client_id = body.client_id!
    return { status: response.status, body, headers: response.headers }
  }

  readonly verifier = randomBytes(32).toString('base64url')

  authorizePath(parameters: Record<string, string | undefined> = {}): string {
    const query = {
      response_type: 'code',
      client_id: this.client_id,
      redirect_uri: REDIRECT,
      scope: 'read write',
      state: 'a-state',
      resource: this.resource,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    }
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`
  }

  /** Up to the page that asks: its path. */
  async ask(user: Client, parameters: Record<string, string | undefined> = {}) {
    const response = await user.fetch(this.authorizePath(parameters))
    const location = response.headers.get('location')
    return { status: response.status, location, text: await response.text() }
  }

  /** What the page's form says, and on to where the app waits. */
  async answer(user: Client, page: string, fields: Record<string, string>, headers: object = {}) {
    const path = new URL(page, this.url).pathname
    const html = await (await user.fetch(path)).text()
    const user_id = /name="user_id" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const response = await user.fetch(path, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams({ user_id, decision: 'allow', scope: 'write', ...fields }).toString(),
    })
    const text = await response.text()
    if (response.status !== 303) return { status: response.status, text, html, to: null }
    const resume = new URL(response.headers.get('location')!, this.url)
    const last = await user.fetch(resume.pathname + resume.search)
    return { status: last.status, text, html, to: new URL(last.headers.get('location')!) }
  }

  async code(user: Client, fields: Record<string, string> = {}, parameters: Record<string, string> = {}) {
    const { location } = await this.ask(user, parameters)
    const { to } = await this.answer(user, location!, fields)
    return to!.searchParams.get('code')!
  }

  async token(fields: Record<string, string>) {
    const response = await fetch(`${this.url}/oauth/token`, {
      method: 'POST',
      headers: FORM,
      body: new URLSearchParams({ client_id: this.client_id, resource: this.resource, ...fields }),
    })
    return { status: response.status, body: (await response.json()) as Tokens & { error?: string } }
  }

  exchange = (code: string, fields: Record<string, string> = {}) =>
    this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: this.verifier,
      ...fields,
    })

  refresh = (refresh_token: string, fields: Record<string, string> = {}) =>
    this.token({ grant_type: 'refresh_token', refresh_token, ...fields })

  async revoke(token: string): Promise<number> {
    const body = new URLSearchParams({ token, client_id: this.client_id })
    return (await fetch(`${this.url}/oauth/revoke`, { method: 'POST', headers: FORM, body })).status
  }

  async tokens(user: Client, fields: Record<string, string> = {}): Promise<Tokens> {
    const { status, body } = await this.exchange(await this.code(user, fields))
    if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
    return body
  }
}

export async function registeredApp(url: string, metadata: object = {}): Promise<OauthApp> {
  const app = new OauthApp(url)
  await app.discover()
  const { status, body } = await app.register(metadata)
  if (status !== 201) throw new Error(`not registered: ${JSON.stringify(body)}`)
  return app
}
