import type { FastifyInstance } from 'fastify'
import { readBodies } from '#src/api/http/read-body.ts'
import type { SessionLookup } from '#src/api/http/session-lookup.ts'
import { McpMethods } from '#src/api/mcp/mcp-methods.ts'
import { sseRoutes } from '#src/api/mcp/sse-routes.ts'
import { streamableHttpRoutes } from '#src/api/mcp/streamable-http-routes.ts'
import type { Tool } from '#src/api/tools.ts'
import type { Facet } from '#src/operations/call.ts'

export interface McpOptions {
  facet: Facet
  tools: readonly Tool[]
  sessions: SessionLookup
}

/** The MCP server over both of its transports. */
export function registerMcp(app: FastifyInstance, { facet, tools, sessions }: McpOptions): void {
  const methods = new McpMethods({
    facet,
    tools,
    onError: (err) => app.log.error({ err }, 'unexpected error in a tool'),
  })
  app.register(async (scope) => {
    // JSON-RPC answers broken JSON itself.
    readBodies(scope, (body) => body)
    sseRoutes(scope, facet, sessions, methods)
    streamableHttpRoutes(scope, facet, sessions, methods)
  })
}
