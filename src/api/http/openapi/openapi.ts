import { VERSION } from '#src/domain/version.ts'
import { describedRoutes, type RouteDescription } from '#src/api/http/openapi/route-descriptions.ts'
import { ErrorSchema, errorResponses } from '#src/api/http/openapi/openapi-errors.ts'
import { describeOperation, describeRoute } from '#src/api/http/openapi/openapi-paths.ts'
import { type JsonSchema, OpenApiSchemas } from '#src/api/http/openapi/openapi-schemas.ts'
import { routesOf } from '#src/api/http/operation-routes.ts'
import { SESSION_COOKIE } from '#src/api/http/session-cookie.ts'
import type { Operation } from '#src/runtime/operation.ts'

const DESCRIPTION = `A structured knowledge base as a service: items, typed tags, one filter language, bulk changes, an audit log.

Requests and answers are JSON. Every failure has the body \`{error, message, path, suggestion?, details?}\`; a faulty input has every fault in \`details.errors\`. Ids are ULIDs, timestamps UTC with milliseconds. Register or sign in to get the session cookie.`

/** The description of the whole API, OpenAPI 3.1, from the operations and the table of the other routes. */
export function openApi(operations: readonly Operation[]): JsonSchema {
  const schemas = new OpenApiSchemas()
  const responses = errorResponses(schemas.convert(ErrorSchema))
  const paths = pathsOf(operations, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Facet',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: schemas.components, responses, securitySchemes: SECURITY_SCHEMES },
  }
}

/** What is described is also added to the schemas. */
function pathsOf(operations: readonly Operation[], schemas: OpenApiSchemas): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {}
  const add = (method: string, path: string, description: JsonSchema) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: description }
  }
  for (const operation of operations)
    routesOf(operation).forEach((route, i) => {
      const described = describeOperation(operation, route, schemas)
      // Of a route with two names the second is an alias.
      add(
        route.method,
        route.path,
        i ? { ...described, operationId: `${operation.name}${i + 1}` } : described,
      )
    })
  for (const rows of Object.values<Record<string, RouteDescription>>(describedRoutes))
    for (const [route, description] of Object.entries(rows)) {
      const [method = '', path = ''] = route.split(' ')
      add(method, path, describeRoute(description, { method, path }, schemas))
    }
  return paths
}

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'Set by register, login, passkeys and identity providers; ends after 7 days without a request.',
  },
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of POST /api/keys. It acts as its account, within its scope.',
  },
}
