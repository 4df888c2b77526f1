import type { FastifyInstance } from 'fastify'
import { readBodies } from '#src/api/http/read-body.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { McpMethods } from '#src/api/mcp/mcp-methods.ts'
import { sseRoutes } from '#src/api/mcp/sse-routes.ts'
import { streamableHttpRoutes } from '#src/api/mcp/streamable-http-routes.ts'
import { toolsOf } from '#src/api/tools.ts'

/** The MCP server over both of its transports. */
export function registerMcp(app: FastifyInstance, parts: ServerParts): void {
  const methods = new McpMethods({
    facet: parts.facet,
    tools: toolsOf(parts.operations),
    onError: (err) => app.log.error({ err }, 'unexpected error in a tool'),
  })
  app.register(async (scope) => {
    // JSON-RPC answers broken JSON itself.
    readBodies(scope, (body) => body)
    sseRoutes(scope, parts, methods)
    streamableHttpRoutes(scope, parts, methods)
  })
}
