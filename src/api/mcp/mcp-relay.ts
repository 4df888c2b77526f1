import type { EventStream } from '#src/api/sse.ts'
import { type McpStreams, STREAM_ID } from '#src/api/mcp/mcp-streams.ts'
import type { Caller } from '#src/domain/caller.ts'
import type { Relay } from '#src/engine/engine.ts'

interface Relayed {
  token_hash: string
  /** Without it, all streams of the session. */
  stream_id?: string | undefined
  answer: string
}

/** Mirrors answers on streams that other processes hold: behind a balancer a message may come in anywhere. */
export class McpRelay {
  private readonly relay: Relay | null
  private readonly onError: (error: unknown) => void

  constructor(relay: Relay | null, streams: McpStreams, onError: (error: unknown) => void) {
    this.relay = relay
    this.onError = onError
    relay?.subscribe('mcp', (body) => {
      const { token_hash, stream_id, answer } = JSON.parse(body) as Relayed
      for (const stream of streams.ofSession(token_hash, stream_id)) stream.send(answer, 'message')
    })
  }

  /** Lets other processes know of a stream for as long as it is open. */
  async opened(stream_id: string, { token_hash }: Caller, stream: EventStream): Promise<void> {
    const { relay } = this
    if (!relay) return
    const close = () => void relay.closeStream(stream_id).catch(this.onError)
    await relay.openStream(stream_id, token_hash!)
    stream.onClosed(close)
  }

  /** Whether another process holds that stream, or any, of the caller's session. */
  async isElsewhere({ token_hash }: Caller, stream_id?: string): Promise<boolean> {
    if (stream_id !== undefined && !STREAM_ID.test(stream_id)) return false
    return (await this.relay?.hasStream(token_hash!, stream_id)) ?? false
  }

  async send({ token_hash }: Caller, stream_id: string | undefined, answer: string): Promise<void> {
    const relayed: Relayed = { token_hash: token_hash!, stream_id, answer }
    await this.relay?.publish('mcp', JSON.stringify(relayed)).catch(this.onError)
  }
}
