import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds in which a proxy uses up the connections that it holds. */
const LAST_REQUESTS = 500

/**
 * Takes no new connections and, for a moment, one more request on each that is there: a proxy keeps connections, and
 * may just be sending on one that would be closed. It goes elsewhere only where it cannot connect.
 */
export async function drainConnections(app: FastifyInstance): Promise<void> {
  const { server } = app
  // As all servers of node:net; that of node:http would close idle connections as well.
  Server.prototype.close.call(server)
  // Fastify is to close it yet, which is no error for having been begun.
  const { close } = server
  server.close = (done) => close.call(server, () => done?.())
  await pause(LAST_REQUESTS)
}
