/** What processes say to each other. The body of `sessions ended` is a JSON array of token hashes, of `events` and `webhooks` empty. */
export type Topic = 'sessions ended' | 'mcp' | 'events' | 'webhooks' | 'imports' | 'notifications'

/** Carries messages between the processes of one service. A process that cannot be reached at the moment does not get them. */
export interface Relay {
  /** Sends a message to every other process. */
  publish(topic: Topic, body: string): Promise<void>
  subscribe(topic: Topic, listener: (body: string) => void): void
  /** An event stream that this process holds open, and the session that it belongs to. */
  openStream(stream_id: string, token_hash: string): Promise<void>
  closeStream(stream_id: string): Promise<void>
  /** Whether another process holds that stream, or any stream, of the session. */
  hasStream(token_hash: string, stream_id?: string): Promise<boolean>
}
