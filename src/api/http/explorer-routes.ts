import { readFile } from 'node:fs/promises'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { compressedOnce } from '#src/api/http/compress-answers.ts'
import { openApi } from '#src/api/http/openapi/openapi.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import { PAGE_POLICY } from '#src/api/http/request-hooks.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'

const HERE = '/api/swagger-ui'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Facet API</title>
<link rel="icon" href="${HERE}/favicon-32x32.png">
<link rel="stylesheet" href="${HERE}/swagger-ui.css">
</head>
<body>
<div id="explorer"></div>
<script src="${HERE}/swagger-ui-bundle.js"></script>
<script src="${HERE}/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#explorer',
  deepLinking: true,
  withCredentials: true,
  validatorUrl: null,
})
`

/** The description of the API, and a page to try it out; everything comes from this host. */
export function explorerRoutes(app: FastifyInstance, parts: ServerParts): void {
  let description: Buffer | undefined
  registerRoutes(app, parts, describedRoutes.explorer, {
    'GET /api/openapi.json': (_, reply) => {
      description ??= compressedOnce(Buffer.from(JSON.stringify(openApi(parts.operations))))
      return reply.type('application/json; charset=utf-8').send(description)
    },
    'GET /api/swagger-ui': (_, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY).send(PAGE),
  })
  registerRoutes(app, parts, unlistedRoutes.explorerFiles, {
    'GET /api/swagger-ui/start.js': (_, reply) => reply.type('text/javascript; charset=utf-8').send(START),
    'GET /api/swagger-ui/swagger-ui-bundle.js': fromPackage('swagger-ui-bundle.js', 'text/javascript'),
    'GET /api/swagger-ui/swagger-ui.css': fromPackage('swagger-ui.css', 'text/css'),
    'GET /api/swagger-ui/favicon-32x32.png': fromPackage('favicon-32x32.png', 'image/png'),
  })
}

/** Read on first use, and once: all sockets that it goes out on share the bytes. */
function fromPackage(file: string, type: string): RouteHandlerMethod {
  let bytes: Promise<Buffer> | undefined
  return async (_, reply) => {
    const path = new URL(`./static/${file}`, import.meta.resolve('@fastify/swagger-ui/package.json'))
    return reply
      .type(type)
      .header('cache-control', 'max-age=86400')
      .send(await (bytes ??= readFile(path).then(compressedOnce)))
  }
}
