import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What happens to bytes on their way to the server: passed on, lost, or the connection is cut before or after them. */
export type Verdict = 'pass' | 'lose' | 'cut' | 'pass then cut'

export interface TcpProxy {
  port: number
  /** URL of the server to which new connections lead. */
  target: string
  /** The URL with the proxy in place of host and port. */
  through(url: string): string
  /** Judges every chunk that a client sends; answers to a chunk that is cut after never reach the client. */
  judge: (chunk: Buffer) => Verdict
  /** Ends every connection now. */
  cutAll(): void
  close(): Promise<void>
}

/** A proxy on loopback that can lose connections at a chosen moment. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const proxy: TcpProxy = {
    port: 0,
    target,
    through(url) {
      const changed = new URL(url)
      changed.host = `127.0.0.1:${proxy.port}`
      return changed.href
    },
    judge: () => 'pass',
    cutAll() {
      for (const socket of open) socket.destroy()
    },
    async close() {
      proxy.cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((client) => {
    const { hostname, port } = new URL(proxy.target)
    const upstream = connect({ host: hostname, port: Number(port) })
    let cut = false
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        if (!(cut && socket === client)) other.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      const verdict = cut ? 'cut' : proxy.judge(chunk)
      if (verdict.startsWith('pass')) upstream.write(chunk)
      if (verdict === 'pass' || verdict === 'lose') return
      cut = true
      client.destroy()
      // The server hears of the end only after it has what was passed on.
      upstream.end()
    })
    upstream.on('data', (chunk: Buffer) => {
      if (!cut) client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}
