import { Client } from '#test/support/client.ts'

/** A client that shows a key, or an app's token. */
export class TokenClient extends Client {
  readonly token: string

  constructor(url: string, token: string) {
    super(url)
    this.token = token
  }

  protected override identify(headers: Headers): void {
    headers.set('authorization', `Bearer ${this.token}`)
  }
}
