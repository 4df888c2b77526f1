import { randomBytes } from 'node:crypto'
import type { Caller } from '#src/domain/caller.ts'
import type { EventStream } from '#src/api/sse.ts'

/** 128 random bits in base64url: what any process gives its streams, and nothing else is looked up. */
export const STREAM_ID = /^[\w-]{22}$/

/** The event streams of protocol 2024-11-05 that are open, by their ids. */
export class McpStreams {
  private readonly byId = new Map<string, { token_hash: string; stream: EventStream }>()
  private readonly bySession = new Map<string, Set<EventStream>>()

  /** The id under which messages for this stream are posted: 128 bits of chance. */
  add(caller: Caller, stream: EventStream): string {
    const token_hash = caller.token_hash!
    const id = randomBytes(16).toString('base64url')
    this.byId.set(id, { token_hash, stream })
    const own = this.bySession.get(token_hash) ?? new Set()
    this.bySession.set(token_hash, own.add(stream))
    stream.onClosed(() => {
      this.byId.delete(id)
      own.delete(stream)
      if (!own.size && this.bySession.get(token_hash) === own) this.bySession.delete(token_hash)
    })
    return id
  }

  /** All of a session, or the one of that id where it is of the session. */
  ofSession(token_hash: string, id?: string): readonly EventStream[] {
    if (id === undefined) return [...(this.bySession.get(token_hash) ?? [])]
    const found = this.byId.get(id)
    return found?.token_hash === token_hash ? [found.stream] : []
  }
}
