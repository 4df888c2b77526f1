import { Client } from '#test/support/client.ts'

/** A client that shows a key, or an app's token. */
export class TokenClient extends Client {
  readonly token: string

  constructor(url: string, token: string) {
    super(url)
    this.token = token
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${this.token}`)
    return fetch(this.url + path, { ...init, headers, redirect: 'manual' })
  }
}
