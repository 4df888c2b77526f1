import type { FastifyInstance, RouteHandlerMethod, RouteShorthandOptions } from 'fastify'
import { identifyCaller } from '#src/api/http/identify-caller.ts'
import { publicBody } from '#src/api/http/public-body.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import type { Demand } from '#src/runtime/may-call.ts'

/** A route that no operation makes. Without an effect it answers everybody alike, and nobody is looked up. */
export type RouteRow =
  | { access: 'none'; effect?: 'read' | 'write' }
  | {
      access: 'user'
      effect: 'read' | 'write'
      needs?: NonNullable<Demand['needs']>
      in_part?: true
      for_proposers?: 'as_ever'
    }

/** What a row does: its access is in the table. */
type RouteHandler =
  | RouteHandlerMethod
  | (Pick<RouteShorthandOptions, 'config' | 'errorHandler' | 'exposeHeadRoute'> & {
      handler: RouteHandlerMethod
    })

/** Registers the rows of a table: each has a handler, and no handler is without its row. */
export function registerRoutes<Rows extends Readonly<Record<string, RouteRow>>>(
  app: FastifyInstance,
  parts: ServerParts,
  rows: Rows,
  handlers: Readonly<Record<keyof Rows, RouteHandler>>,
): void {
  for (const [rest, row] of Object.entries(rows)) {
    const [method = '', path = ''] = rest.split(' ')
    const handler: RouteHandler = handlers[rest as keyof Rows]
    const given = typeof handler === 'function' ? { handler } : handler
    const open = row.access === 'none' && method === 'POST' ? publicBody(parts) : undefined
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...open,
      ...(row.effect && identifyCaller(parts.runtime, { ...row, effect: row.effect, rest })),
      ...given,
      config: { ...open?.config, ...given.config },
    })
  }
}
