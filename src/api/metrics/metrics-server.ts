import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import { type Metrics, METRICS_TYPE } from '#src/metrics/metrics.ts'

/** Scrapers are few; anyone who finds the port open does not get more. */
const MAX_CONNECTIONS = 50

export interface MetricsServer {
  /** Where it listens. */
  url: string
  close(): Promise<void>
}

/** `GET /metrics` on a port of its own, where nobody has to say who they are, and nothing else. */
export async function startMetricsServer(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => void answer(metrics, request, response))
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(metricsRefused({ host, port }, error)))
    server.listen({ host, port }, resolve)
  })
  const { address, port: taken, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Why they are not served where they are to be. */
export const metricsRefused = (
  { host, port }: { host: string; port: number },
  { code }: NodeJS.ErrnoException,
): ServiceError =>
  unavailable(`Metrics cannot be served on ${host}:${port} (${code})`, {
    suggestion: 'Set another METRICS_PORT or METRICS_HOST',
  })

async function answer(metrics: Metrics, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume()
  response.on('error', () => response.destroy())
  const { method, url = '' } = request
  const say = (status: number, text: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text)
  if (!/^\/metrics\/?(?:\?|$)/.test(url)) return void say(404, 'Here is only GET /metrics\n')
  if (method !== 'GET' && method !== 'HEAD')
    return void say(405, 'Use GET /metrics\n', { allow: 'GET, HEAD' })
  const text = await metrics.text()
  say(200, method === 'HEAD' ? '' : text, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' })
}
