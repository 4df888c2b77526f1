import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, type Socket } from 'node:net'
import { whenClosed } from '#src/api/drained.ts'
import { addressGroup } from '#src/auth/client-address.ts'

export interface ConnectionLimitOptions {
  /** Of all addresses together. */
  all: number
  /** Of one address, or of one /64; 0: any number. */
  each: number
  /** Whether an address is counted: not that of a proxy, behind which everybody comes. */
  counts: (address: string) => boolean
}

/** Milliseconds after which a request that is still not here makes room for somebody else. */
const LATE = 5000

interface Connection {
  socket: Socket
  peer: string
  /** Null where its address is not counted. */
  group: string | null
  /** Requests that are not answered yet. */
  requests: number
}

/**
 * The `blockList` of a `net.Server`, which asks it before there is a socket: to make one and end it costs the event loop
 * many times as much, and who comes with thousands of connections would have that of everybody.
 */
class Refused extends BlockList {
  private readonly refuses: (address: string) => boolean

  constructor(refuses: (address: string) => boolean) {
    super()
    this.refuses = refuses
  }

  override check(address: unknown): boolean {
    return this.refuses(String(address))
  }
}

/**
 * Bounds the connections that are open, in all and by address. Where there are too many, the one goes that has asked for
 * nothing for longest, or whose request is long in coming; those that are being answered stay (decision 54).
 */
export class ConnectionLimit {
  private readonly options: ConnectionLimitOptions
  private readonly open = new Set<Connection>()
  private readonly byGroup = new Map<string, Set<Connection>>()
  /** Those that ask for nothing, the longest idle first. */
  private readonly idle = new Set<Connection>()
  /** Those whose request came with a body that may not be here yet, the oldest request first. */
  private readonly coming = new Map<Connection, { request: IncomingMessage; since: number }>()
  /** By the peer's address and port, which a socket of TLS shares with the one below it. */
  private readonly byPeer = new Map<string, Connection>()

  constructor(options: ConnectionLimitOptions) {
    this.options = options
  }

  watch(server: Server): void {
    Object.assign(server, { blockList: new Refused((address) => !this.makeRoom(this.groupOf(address))) })
    server.on('connection', (socket: Socket) => this.opened(socket))
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.asked(request, response),
    )
  }

  private opened(socket: Socket): void {
    const group = this.groupOf(socket.remoteAddress)
    // A peer that has gone already has no address, and was not asked about.
    if (!this.makeRoom(group)) return void socket.destroy()
    const connection = { socket, peer: peerOf(socket), group, requests: 0 }
    this.byPeer.set(connection.peer, connection)
    this.open.add(connection)
    this.idle.add(connection)
    if (group !== null) this.byGroup.set(group, (this.byGroup.get(group) ?? new Set()).add(connection))
    socket.once('close', () => this.forget(connection))
  }

  private asked(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.byPeer.get(peerOf(request.socket))
    if (!connection) return
    this.idle.delete(connection)
    connection.requests++
    const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers
    this.coming.delete(connection) // its place is that of its newest request
    if (chunked !== undefined || length !== '0')
      this.coming.set(connection, { request, since: performance.now() })
    whenClosed(response, () => {
      this.coming.delete(connection)
      if (!--connection.requests && this.open.has(connection)) this.idle.add(connection)
    })
  }

  private groupOf(address: string | undefined): string | null {
    return address !== undefined && this.options.counts(address) ? addressGroup(address) : null
  }

  /** Whether there is room for one more, if need be because another one has been closed. */
  private makeRoom(group: string | null): boolean {
    const { all, each } = this.options
    const own = group === null ? undefined : this.byGroup.get(group)
    if (each && own && own.size >= each) return this.drop((connection) => own.has(connection))
    return this.open.size < all || this.drop(() => true)
  }

  private drop(isMeant: (connection: Connection) => boolean): boolean {
    const found = firstOf(this.idle, isMeant) ?? this.late(isMeant)
    if (!found) return false
    this.forget(found)
    found.socket.destroy()
    return true
  }

  /** One whose request is long in coming; no more than those that are old enough are looked at. */
  private late(isMeant: (connection: Connection) => boolean): Connection | undefined {
    const latest = performance.now() - LATE
    for (const [connection, { request, since }] of this.coming) {
      if (since >= latest) return undefined
      if (isMeant(connection) && !request.complete) return connection
    }
    return undefined
  }

  private forget(connection: Connection): void {
    const { group } = connection
    this.open.delete(connection)
    if (this.byPeer.get(connection.peer) === connection) this.byPeer.delete(connection.peer)
    this.idle.delete(connection)
    this.coming.delete(connection)
    const own = group === null ? undefined : this.byGroup.get(group)
    own?.delete(connection)
    if (own && !own.size) this.byGroup.delete(group!)
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

function firstOf<T>(all: Iterable<T>, isMeant: (each: T) => boolean): T | undefined {
  for (const each of all) if (isMeant(each)) return each
  return undefined
}
