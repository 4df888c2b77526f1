import { X509Certificate } from 'node:crypto'
import { get as getHttp, type IncomingHttpHeaders } from 'node:http'
import { get as getHttps } from 'node:https'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { createSecureContext } from 'node:tls'
import { metricsRefused } from '#src/api/metrics/metrics-server.ts'
import { type Finding, fail, failed, ok, PATIENCE, warn, worded } from '#src/cli/doctor/finding.ts'
import type { Config } from '#src/config/config.ts'
import { doubtfulAddress, overHttp } from '#src/config/doubtful-settings.ts'
import { isLoopback } from '#src/config/setting.ts'
import { listenFault } from '#src/process/listen-fault.ts'

/** Milliseconds before the end of a certificate. */
const SOON = 14 * 24 * 3_600_000
/** What the metrics of no other program have. */
const METRICS_OF_OURS = 'facet_info'
const EVERYWHERE = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Where it listens: the service itself answers there, or nobody does. */
export async function checkAddress(config: Config): Promise<Finding> {
  const { host, port } = config
  const at = `${host}:${port}`
  if (port === 0) return warn('address', 'PORT is 0: any free port, another one at each start', 'Set PORT')
  const fault = await bindFault(host, port)
  if (fault === null) return ok('address', `${at} is free; the service does not run`)
  if (fault.code !== 'EADDRINUSE') {
    const { says = `${at} cannot be used: ${worded(fault)}`, way = 'set HOST and PORT' } =
      listenFault(fault) ?? {}
    return fail('address', says, way[0]!.toUpperCase() + way.slice(1))
  }
  return (await isFacetAt(config))
    ? ok('address', `Facet answers at ${at}`)
    : fail('address', `${at} is in use by another program`, 'Stop that program, or set PORT')
}

/** Where metrics are served to anyone who finds the port. */
export async function checkMetrics(config: Config): Promise<Finding> {
  const { metrics } = config
  if (metrics === null) return ok('metrics', 'On PORT alone, for owners and their keys')
  const at = `${metrics.host}:${metrics.port}`
  const fault = metrics.port === 0 ? null : await bindFault(metrics.host, metrics.port)
  if (fault === null) return ok('metrics', `${at} is free`)
  // A process of another base may have it.
  if (fault.code === 'EADDRINUSE' && (await isFacetAt(config)) && (await areMetricsAt(metrics)))
    return ok('metrics', `Facet answers at ${at}`)
  return failed('metrics', metricsRefused(metrics, fault), 'Set METRICS_PORT')
}

const isFacetAt = async ({ host, port, tls }: Config): Promise<boolean> =>
  (await answerAt({ host, port, path: '/api/health' }, tls !== null))?.headers['x-request-id'] !== undefined

const areMetricsAt = async (at: { host: string; port: number }): Promise<boolean> =>
  Boolean((await answerAt({ ...at, path: '/metrics' }))?.body.includes(METRICS_OF_OURS))

interface Asked {
  host: string
  port: number
  path: string
}

/** What is answered there; null: nothing that HTTP knows. */
function answerAt(
  asked: Asked,
  isTls = false,
): Promise<{ headers: IncomingHttpHeaders; body: string } | null> {
  return new Promise((resolve) => {
    const host = EVERYWHERE.get(asked.host) ?? asked.host
    const options = { ...asked, host, signal: AbortSignal.timeout(PATIENCE), rejectUnauthorized: false }
    const request = (isTls ? getHttps : getHttp)(options, (answer) => {
      text(answer).then(
        (body) => resolve({ headers: answer.headers, body }),
        () => resolve(null),
      )
    })
    request.once('error', () => resolve(null))
  })
}

/** What a start would meet there; null: nothing. */
function bindFault(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

/** Whether browsers keep the session, and who may make an account. */
export function checkCookies(config: Config): Finding {
  const [doubt] = doubtfulAddress(config)
  const { protocol, hostname } = new URL(config.public_url)
  if (doubt === undefined) return ok('cookies', `Browsers keep the session of ${config.public_url}`)
  const [says = doubt, what = 'See docs/how-to/run-in-production.md'] = doubt.split(/(?<=\.) (?=To )/)
  const keepsOut = protocol === 'http:' && !isLoopback(hostname)
  return (keepsOut ? fail : warn)('cookies', says, what)
}

export function checkTls(config: Config): Finding {
  const { tls, public_url } = config
  const { protocol, hostname } = new URL(public_url)
  if (!tls && protocol === 'https:') return ok('TLS', 'A proxy in front serves HTTPS')
  if (!tls && overHttp(config) === null) return ok('TLS', 'None: this machine alone is served')
  if (!tls)
    return warn(
      'TLS',
      'None: others are served over http, which can be read on the way',
      'Set TLS_CERT and TLS_KEY, or let a proxy serve HTTPS and set PUBLIC_URL to its address',
    )
  try {
    createSecureContext(tls)
  } catch (error) {
    return fail('TLS', `TLS_CERT and TLS_KEY do not go together: ${worded(error)}`, 'Set both of one pair')
  }
  const certificate = new X509Certificate(tls.cert)
  const left = certificate.validToDate.getTime() - Date.now()
  const until = certificate.validToDate.toISOString().slice(0, 10)
  if (left < 0) return fail('TLS', `The certificate ended on ${until}`, 'Renew it and start again')
  if (!certificate.checkHost(hostname) && !certificate.checkIP(hostname))
    return fail('TLS', `The certificate is not for ${hostname}`, 'Get one for the host of PUBLIC_URL')
  return left < SOON
    ? warn('TLS', `The certificate ends on ${until}`, 'Renew it and start again')
    : ok('TLS', `The certificate is for ${hostname}, until ${until}`)
}

/** Without it every caller has the address of the proxy, and shares its limits. */
export function checkProxy({ public_url, tls, trust_proxy }: Config): Finding {
  const isBehind = new URL(public_url).protocol === 'https:' && !tls
  const isTrusted = Array.isArray(trust_proxy) ? trust_proxy.length > 0 : trust_proxy !== 0
  if (isBehind && !isTrusted)
    return warn(
      'proxy',
      'PUBLIC_URL is https without TLS_CERT, so a proxy is in front, and TRUST_PROXY does not name it: all callers share one address and its limits',
      'Set TRUST_PROXY=1, or the address of the proxy',
    )
  if (!isBehind && isTrusted)
    return warn(
      'proxy',
      'TRUST_PROXY is set, and PUBLIC_URL names no proxy: callers could say any address of themselves',
      'Leave TRUST_PROXY empty, or set PUBLIC_URL to what browsers see',
    )
  return ok('proxy', isBehind ? `Believed: ${String(trust_proxy)}` : 'None')
}
