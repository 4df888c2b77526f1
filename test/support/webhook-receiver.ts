import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** What came in. */
export interface Received {
  /** Milliseconds since the epoch. */
  at: number
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  event: {
    event_id: string
    event_type: string
    item_id: string | null
    tag_id: string | null
    details: Record<string, unknown>
    redacted?: true
  }
}

type Answer = number | ((response: ServerResponse, received: Received) => void)

/** A service that takes deliveries, on loopback; it answers as it is told, 204 where it is not. */
export class WebhookReceiver {
  readonly received: Received[] = []
  /** How the next ones are answered. */
  answer: (received: Received) => Answer = () => 204
  private readonly server: Server
  private readonly waiting = new Set<() => void>()

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const { method = '', url: path = '', headers } = request
        const received = {
          at: Date.now(),
          method,
          path,
          headers,
          body,
          event: JSON.parse(body) as Received['event'],
        }
        this.received.push(received)
        const answer = this.answer(received)
        if (typeof answer === 'function') answer(response, received)
        else response.writeHead(answer).end()
        for (const wake of this.waiting) wake()
      })
      request.on('error', () => {})
    })
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return this.url
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`
  }

  /** All that came, once this many have; fails after `ms`. */
  async take(count: number, ms = 60_000): Promise<Received[]> {
    const until = Date.now() + ms
    while (this.received.length < count) {
      const left = until - Date.now()
      if (left <= 0) throw new Error(`only ${this.received.length} of ${count} deliveries came`)
      await new Promise<void>((resume) => {
        const timer = setTimeout(done, left)
        const { waiting } = this
        function done() {
          clearTimeout(timer)
          waiting.delete(done)
          resume()
        }
        waiting.add(done)
      })
    }
    return this.received
  }

  forget(): void {
    this.received.length = 0
    this.answer = () => 204
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}

/** As a receiver checks it, by the official library. */
export const verified = ({ headers, body }: Received, secret: string): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

/** The same where the service's clock is not the true one. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  return new Webhook(secret).sign(String(headers['webhook-id']), at, body) === headers['webhook-signature']
}
