import type { FastifyInstance } from 'fastify'
import type { Config } from '#src/config/config.ts'

const SENTENCE =
  'A request came with X-Forwarded-For, but TRUST_PROXY is off: all clients of that proxy count as one, so that wrong passwords of one lock the others out. If the proxy is yours, set TRUST_PROXY'

/** Says once what a proxy in front that nobody told of means. */
export function warnOfUnknownProxy(app: FastifyInstance, { trust_proxy }: Config): void {
  if (trust_proxy) return
  let said = false
  app.addHook('onRequest', ({ headers }, _, done) => {
    if (!said && headers['x-forwarded-for'] !== undefined) {
      said = true
      app.log.warn(SENTENCE)
    }
    done()
  })
}
