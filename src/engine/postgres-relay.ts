import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { EngineLog, Relay, Topic } from '#src/engine/engine.ts'
import { onPrimary } from '#src/engine/postgres-snapshots.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'

const CHANNEL = 'facet'
/** Milliseconds between two heartbeats; and between two tries to listen. */
const HEARTBEAT = 10_000
const LISTEN_AGAIN = 1000
/** A NOTIFY to oneself takes no longer where LISTEN works at all. */
const ECHO = 10_000
/** A process that has given no sign for this long is gone, and its streams with it. */
export const GONE_AFTER = '1 minute'
/** Messages are read at once, or not at all. */
const KEEP_MESSAGES = '1 minute'
/** Milliseconds after which no message is there any more that could be taken twice. */
const KEEP_SEEN = 600_000

export interface RelayOptions {
  /** For short statements. */
  hosts: PostgresHosts
  /** A connection of its own for LISTEN, which a pooler in transaction mode does not pass on. */
  listenHosts: PostgresHosts
  log: EngineLog
}

interface Message {
  id: number
  topic: Topic
  body: string
}

/** Messages are rows of a table; NOTIFY carries their ids, because it holds 8,000 bytes at the most (decision 110). */
export class PostgresRelay implements Relay {
  private readonly options: RelayOptions
  private readonly process_id = randomUUID()
  private readonly listeners = new Map<Topic, ((body: string) => void)[]>()
  /** Token hashes by stream. What is held ends with its process as streams do, and is one of them, of no session. */
  private readonly streams = new Map<string, string>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly listener = Promise.withResolvers<void>()
  private client: pg.PoolClient | undefined
  private echoed = false
  /** Since the connection was lost; said once. */
  private disconnected = false
  /** The newest message when this process started. */
  private newestAtStart = 0
  /** When each message was seen: their ids are not in the order of their commits. */
  private readonly seen = new Map<number, number>()
  /** Messages that could not be read are looked for once more. */
  private catchingUp = false
  private closed = false
  private readonly heartbeat: NodeJS.Timeout
  /** The last heartbeat: `close` waits for it, because one that came after it would register the process again. */
  private lastHeartbeat = Promise.resolve()

  constructor(options: RelayOptions) {
    this.options = options
    this.heartbeat = setInterval(() => {
      this.lastHeartbeat = this.sendHeartbeat().catch(() => {})
    }, HEARTBEAT)
    this.heartbeat.unref()
  }

  /** Resolves when this process receives messages, or when it has become clear that it cannot for now. */
  async start(): Promise<void> {
    await this.sendHeartbeat()
    // Before it listens, so that what is said until that works is caught up with.
    const [row] = await this.run<{ id: number }>('select coalesce(max(id), 0) as id from relay_message')
    this.newestAtStart = row!.id
    void this.listen()
    await this.listener.promise
  }

  async publish(topic: Topic, body: string): Promise<void> {
    await this.run(
      `with message as (insert into relay_message (sender, topic, body) values ($1, $2, $3) returning id)
        select pg_notify('${CHANNEL}', id || ' ' || $1) from message`,
      [this.process_id, topic, body],
    )
  }

  subscribe(topic: Topic, listener: (body: string) => void): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener])
  }

  async openStream(stream_id: string, token_hash: string): Promise<void> {
    this.streams.set(stream_id, token_hash)
    // After a standstill this process may have been taken for gone, and a stream belongs to one that is there.
    await this.register()
    await this.run(
      'insert into event_stream (stream_id, token_hash, process_id) values ($1, $2, $3) on conflict do nothing',
      [stream_id, token_hash, this.process_id],
    )
  }

  async closeStream(stream_id: string): Promise<void> {
    this.streams.delete(stream_id)
    await this.run('delete from event_stream where stream_id = $1', [stream_id])
  }

  async hasStream(token_hash: string, stream_id?: string): Promise<boolean> {
    const rows = await this.run(
      `select 1 from event_stream where token_hash = $1 and process_id <> $2
        and stream_id = coalesce($3, stream_id) limit 1`,
      [token_hash, this.process_id, stream_id ?? null],
    )
    return rows.length > 0
  }

  async hold(name: string): Promise<(() => void) | null> {
    // In place of a session: what is let go late is not what is held again since.
    const hold = randomUUID()
    await onPrimary(this.options.hosts, () => this.register())
    const { rows } = await onPrimary(this.options.hosts, (pool) =>
      pool.query(
        `insert into event_stream as held (stream_id, token_hash, process_id) values ($1, $2, $3)
          on conflict (stream_id) do update set token_hash = excluded.token_hash
          where held.process_id = excluded.process_id returning 1`,
        [name, hold, this.process_id],
      ),
    )
    if (!rows.length) return null
    this.streams.set(name, hold)
    return () => {
      if (this.streams.get(name) === hold) this.streams.delete(name)
      void this.letGo(name, hold)
    }
  }

  /** Until it succeeds: others would wait for it as long as this process lives. */
  private async letGo(name: string, hold: string): Promise<void> {
    try {
      await this.run('delete from event_stream where stream_id = $1 and token_hash = $2', [name, hold])
    } catch {
      if (!this.closed) this.later(() => void this.letGo(name, hold), LISTEN_AGAIN)
    }
  }

  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.heartbeat)
    for (const timer of this.timers) clearTimeout(timer)
    const { client } = this
    this.client = undefined
    client?.release(true)
    await this.lastHeartbeat
    await this.run('delete from process where process_id = $1', [this.process_id]).catch(() => {})
  }

  /** Says that this process lives, and sweeps what others have left. */
  private async sendHeartbeat(): Promise<void> {
    await this.register()
    await this.run(`delete from process where seen_at < now() - interval '${GONE_AFTER}'`)
    await this.run(`delete from relay_message where at < now() - interval '${KEEP_MESSAGES}'`)
    for (const [id, at] of this.seen) if (at < Date.now() - KEEP_SEEN) this.seen.delete(id)
  }

  private async register(): Promise<void> {
    const [row] = await this.run<{ made: boolean }>(
      `insert into process (process_id) values ($1)
        on conflict (process_id) do update set seen_at = now() returning xmax = 0 as made`,
      [this.process_id],
    )
    // It had been taken for gone, as after a long standstill.
    if (row!.made)
      await this.run(
        `insert into event_stream select s.key, s.value, $2 from json_each_text($1::json) s on conflict do nothing`,
        [JSON.stringify(Object.fromEntries(this.streams)), this.process_id],
      )
  }

  private async listen(): Promise<void> {
    try {
      await this.options.listenHosts.use(async (pool) => {
        const client = await pool.connect()
        if (this.closed) return client.release(true)
        this.client = client
        try {
          await this.listenOn(client)
        } finally {
          if (this.client) client.release(true)
          this.client = undefined
        }
      })
    } catch (reason) {
      this.listener.resolve()
      if (this.closed) return
      if (!this.disconnected)
        this.options.log('warn', 'Messages of other processes are not received for now', { err: reason })
      this.disconnected = true
      this.later(() => void this.listen(), LISTEN_AGAIN)
    }
  }

  /** Until the connection is lost: rejects with the reason. */
  private async listenOn(client: pg.PoolClient): Promise<never> {
    const lost = new Promise<Error>((resolve) => {
      client.once('error', resolve)
      client.once('end', () => resolve(new Error('Connection terminated')))
    })
    client.on('notification', ({ payload = '' }) => this.notified(payload))
    await client.query(`listen ${CHANNEL}`)
    await this.catchUp()
    if (this.disconnected) this.options.log('warn', 'Messages of other processes are received again', {})
    this.disconnected = false
    this.checkEcho()
    this.listener.resolve()
    throw await lost
  }

  /** What was said while nobody listened here. */
  private catchUp(): Promise<void> {
    return this.readMessages('id > $2 and id <> all($3)', this.newestAtStart, [...this.seen.keys()])
  }

  private checkEcho(): void {
    this.echoed = false
    void this.run(`select pg_notify('${CHANNEL}', $1)`, [`0 ${this.process_id}`]).catch(() => {})
    this.later(() => {
      if (!this.echoed)
        this.options.log('warn', 'Messages of other processes are not received: LISTEN does not work here', {
          suggestion: 'Set DATABASE_LISTEN_URL to the server itself where DATABASE_URL is that of a pooler',
        })
    }, ECHO)
  }

  private notified(payload: string): void {
    const [id, sender] = payload.split(' ')
    if (sender === this.process_id) this.echoed = true
    else
      this.readMessages('id = $2', Number(id)).catch((reason: unknown) => {
        this.options.log('warn', 'A message of another process could not be read yet', { err: reason })
        this.catchUpLater()
      })
  }

  /** Until it succeeds: the notification does not come again. */
  private catchUpLater(): void {
    if (this.catchingUp || this.closed) return
    this.catchingUp = true
    this.later(() => {
      this.catchingUp = false
      this.catchUp().catch(() => this.catchUpLater())
    }, LISTEN_AGAIN)
  }

  /** The messages that this process has not seen yet. */
  private async readMessages(
    which: 'id = $2' | 'id > $2 and id <> all($3)',
    ...values: unknown[]
  ): Promise<void> {
    const messages = await this.run<Message>(
      `select id, topic, body from relay_message where sender <> $1 and ${which} order by id`,
      [this.process_id, ...values],
    )
    for (const message of messages) {
      if (this.seen.has(message.id)) continue // told of it while it caught up
      this.seen.set(message.id, Date.now())
      for (const listener of this.listeners.get(message.topic) ?? []) listener(message.body)
    }
  }

  private later(then: () => void, milliseconds: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      then()
    }, milliseconds)
    timer.unref()
    this.timers.add(timer)
  }

  private run<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.options.hosts.use(async (pool) => (await pool.query<Row>(text, values)).rows)
  }
}
