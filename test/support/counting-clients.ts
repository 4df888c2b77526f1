import { expect } from 'vitest'
import type { Client } from '#test/support/client.ts'

/** What a client knows of an item that it wrote. */
interface Known {
  item_id: string
  /** The last count whose write was acknowledged. */
  acknowledged: number
  /** The last count that was sent; it may have been written. */
  sent: number
}

export interface WriteOptions {
  /** Whether to stop. With it, what comes back with 503 is not acknowledged, and the client goes on. */
  until?: () => boolean
}

/** Clients that create items (each under a name of its own, never sent twice), count in them, and know of each count whether it was acknowledged. */
export class CountingClients {
  readonly known: Known[] = []
  /** When the last write was acknowledged, by `performance.now()`. */
  lastAcknowledged = 0
  acknowledged = 0
  /** Is told of each write that was acknowledged. */
  onAcknowledged: () => void = () => {}
  refused = 0
  private creates = 0
  private readonly tag_id: string

  private constructor(tag_id: string) {
    this.tag_id = tag_id
  }

  static async prepare(user: Client): Promise<CountingClients> {
    const { tag_id } = await user.ok('POST', '/api/tags', { name: 'Count', fields: { count: 'Number' } })
    return new CountingClients(tag_id)
  }

  /** Writes until the server is gone, or until told. Only what was answered with 200 is known. */
  async write(user: Client, { until }: WriteOptions = {}): Promise<void> {
    const send = async (method: string, path: string, body: object) => {
      const answer = await user.send(method, path, body)
      if (answer.status === 503 && until) {
        this.refused++
        await new Promise((resolve) => setTimeout(resolve, 20))
        return null
      }
      expect(answer.status).toBe(200)
      this.lastAcknowledged = performance.now()
      this.acknowledged++
      this.onAcknowledged()
      return answer.body
    }
    try {
      for (;;) {
        if (until?.()) return
        const tags = [{ tag_ref: { Existing: this.tag_id }, field_values: { count: 0 } }]
        const created = await send('POST', '/api/items', { name: `create ${++this.creates}`, tags })
        if (!created) continue
        const item: Known = { item_id: created.item_id, acknowledged: 0, sent: 0 }
        this.known.push(item)
        for (let count = 1; count <= 5; count++) {
          const field_values = { count }
          item.sent = count
          const path = `/api/items/${item.item_id}/tags/${this.tag_id}`
          if (await send('PUT', path, { field_values, merge: true })) item.acknowledged = count
        }
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error // fetch: the connection broke
    }
  }

  /** Everything that was acknowledged is there, and nothing that was never sent. */
  async checkAcknowledged(user: Client): Promise<void> {
    for (const { item_id, acknowledged, sent } of this.known) {
      const { data } = await user.ok('GET', `/api/items/${item_id}`)
      const { count } = data[this.tag_id].field_values
      expect(count).toBeGreaterThanOrEqual(acknowledged)
      expect(count).toBeLessThanOrEqual(sent)
    }
  }
}
