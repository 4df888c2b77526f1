import type { FastifyInstance } from 'fastify'
import { resourceMetadataUrl } from '#src/api/apps/discovery.ts'
import { readBodies } from '#src/api/http/read-body.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { McpMethods } from '#src/api/mcp/mcp-methods.ts'
import { sseRoutes } from '#src/api/mcp/sse-routes.ts'
import { streamableHttpRoutes } from '#src/api/mcp/streamable-http-routes.ts'
import { type ToolSet, toolsOfSet } from '#src/api/mcp/tool-sets.ts'
import { toolsOf } from '#src/api/tools.ts'

/** The MCP server over both of its transports. */
export function registerMcp(app: FastifyInstance, parts: ServerParts): void {
  const tools = toolsOf(parts.operations)
  const methodsOf = (set: ToolSet) =>
    new McpMethods({
      runtime: parts.runtime,
      tools: toolsOfSet(tools, set),
      onError: (err) => app.log.error({ err }, 'unexpected error in a tool'),
    })
  const methods = { read: methodsOf('read'), core: methodsOf('core'), all: methodsOf('all') }
  app.register(async (scope) => {
    const where = `resource_metadata="${resourceMetadataUrl(parts.config)}"`
    scope.addHook('onSend', (_, reply, payload, done) => {
      const given = reply.getHeader('www-authenticate')
      // RFC 9728 §5.1: anyone who is turned away learns where to ask.
      if (reply.statusCode === 401 || (reply.statusCode === 403 && given))
        void reply.header('www-authenticate', given ? `${String(given)}, ${where}` : `Bearer ${where}`)
      done(null, payload)
    })
    // JSON-RPC answers broken JSON itself.
    readBodies(scope, (body) => body)
    sseRoutes(scope, parts, methods.all)
    streamableHttpRoutes(scope, parts, methods)
  })
}
