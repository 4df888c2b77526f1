import pg from 'pg'

/** Milliseconds after which a connection whose server does not react is cut. */
const PATIENCE_MS = 1000

interface Backend {
  processID: number
  secretKey: number
  host: string
  port: number
  connection: { stream: { destroy(): void } }
}
interface CancelConnection {
  connect(port: number, host: string): void
  connect(path: string): void
  cancel(processID: number, secretKey: number): void
  on(event: string, listener: () => void): void
  end(): void
}

/**
 * Ends what the connection is in the middle of, by a request on a connection of its own (PostgreSQL manual, 54.2.8:
 * it needs no authentication but a key, and no free place in a pool). It may come late and meet a later statement,
 * so the connection is not to be used again. Where the server does not react the connection is cut.
 */
export function cancelQuery(client: pg.ClientBase): void {
  const backend = client as unknown as Backend
  setTimeout(() => backend.connection.stream.destroy(), PATIENCE_MS).unref()
  const { connection } = new pg.Client() as unknown as { connection: CancelConnection }
  connection.on('error', () => {}) // the server hangs up; where it cannot be reached, the cut does it
  connection.on('connect', () => connection.cancel(backend.processID, backend.secretKey))
  if (backend.host.startsWith('/')) connection.connect(`${backend.host}/.s.PGSQL.${backend.port}`)
  else connection.connect(backend.port, backend.host)
}
