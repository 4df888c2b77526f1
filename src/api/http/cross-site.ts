import type { FastifyRequest } from 'fastify'
import { bearerOf } from '#src/api/http/bearer-token.ts'
import type { Config } from '#src/config/config.ts'
import { forbidden } from '#src/domain/errors.ts'
import { isLoopback } from '#src/config/setting.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Refuses a write that another site makes a browser send (decisions §9). Clients that are no browsers send neither
 * Origin nor Sec-Fetch-Site and are not checked.
 */
export function crossSiteCheck({ public_url, cors_origins }: Config): (request: FastifyRequest) => void {
  const publicHost = new URL(public_url).hostname
  const allowed = new Set([public_url, ...cors_origins])
  return (request) => {
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin === undefined && site === undefined) return
    if (bearerOf(request) !== undefined) return // no browser sends one by itself
    if (SAFE_METHODS.has(request.method) || request.routeOptions.config.crossSite) return
    const host = hostOf(request)
    // A foreign name that leads here: DNS rebinding.
    if (host !== publicHost && !isLoopback(host))
      throw forbidden(`This service is not known as '${host}'`, {
        suggestion:
          origin === public_url
            ? 'A proxy in front has changed the header Host: let it pass on that of the browser (nginx: proxy_set_header Host $host)'
            : `Use ${public_url}, or set PUBLIC_URL to the address that browsers use`,
      })
    if (origin !== undefined) {
      if (!allowed.has(origin) && origin !== `${request.protocol}://${request.host}`)
        throw forbidden(`Requests from '${origin}' are not allowed`, {
          suggestion: 'Add the origin to CORS_ORIGINS',
        })
    } else if (site === 'cross-site') throw forbidden('Cross-site requests are not allowed')
  }
}

function hostOf({ protocol, host }: FastifyRequest): string {
  const url = `${protocol}://${host}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Other sites may send to this route, e.g. a provider's form-post callback. */
    crossSite?: boolean
  }
}
