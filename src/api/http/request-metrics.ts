import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whenClosed } from '#src/api/drained.ts'
import { isEventStream } from '#src/api/sse.ts'
import { Histogram, Reading, Tally } from '#src/metrics/instruments.ts'
import type { Metrics } from '#src/metrics/metrics.ts'

/** Seconds. */
const TIMES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** What the log of proxies says of a client that left before its answer. */
const LEFT = '499'
/** Whatever no route is for: the path is the client's to choose, so it is in no label. */
const NO_ROUTE = 'none'

/** Counts every request that a route, or its absence, answers. */
export function requestMetrics(app: FastifyInstance, metrics: Metrics): void {
  const requests = metrics.add(
    'facet_http_requests_total',
    `Requests that were answered, by route; status ${LEFT}: the client left before its answer.`,
    new Tally('counter', ['method', 'route', 'status']),
  )
  const times = metrics.add(
    'facet_http_request_duration_seconds',
    'From a request to the end of its answer, by route; event streams are not among them.',
    new Histogram(TIMES, ['method', 'route']),
  )
  metrics.add(
    'facet_http_connections',
    'Open connections of clients.',
    new Reading('gauge', async () => [{ value: await connectionsOf(app) }]),
  )
  // Not onResponse: it does not hear of clients that leave.
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now()
    const { raw } = reply
    whenClosed(raw, () => {
      const labels = [request.method, routeOf(request)]
      requests.add([...labels, raw.headersSent ? String(raw.statusCode) : LEFT])
      if (raw.writableFinished && !streamsEvents(reply))
        times.observe((performance.now() - began) / 1000, labels)
    })
    done()
  })
}

/** Routes by their path in the router: they are as many as the server has. */
const routes = new Map<string, string>()

/** `/api/items/{item_id}`, as the documents write it. */
function routeOf({ is404, routeOptions: { url } }: FastifyRequest): string {
  if (is404 || url === undefined) return NO_ROUTE
  let route = routes.get(url)
  if (route === undefined) routes.set(url, (route = url.replaceAll(/:(\w+)/g, '{$1}')))
  return route
}

const streamsEvents = (reply: FastifyReply): boolean =>
  isEventStream(reply.raw) || String(reply.getHeader('content-type')).startsWith('text/event-stream')

const connectionsOf = ({ server }: FastifyInstance): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
