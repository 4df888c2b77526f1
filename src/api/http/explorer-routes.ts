import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { openApi } from '#src/api/http/openapi/openapi.ts'
import { PAGE_POLICY } from '#src/api/http/security-headers.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'

const HERE = '/api/swagger-ui'

/** Read from the package on first use. */
const LIBRARY: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'favicon-32x32.png': 'image/png',
}

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
export function explorerRoutes(app: FastifyInstance, { operations }: ServerParts): void {
  let description: Buffer | undefined
  app.get('/api/openapi.json', (_, reply) => {
    description ??= Buffer.from(JSON.stringify(openApi(operations)))
    return reply.type('application/json; charset=utf-8').send(description)
  })
  app.get(HERE, (_, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY).send(PAGE),
  )
  app.get(`${HERE}/start.js`, (_, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  for (const [file, type] of Object.entries(LIBRARY)) {
    // Read once: all sockets that it goes out on share the bytes.
    let bytes: Promise<Buffer> | undefined
    app.get(`${HERE}/${file}`, async (_, reply) => {
      const path = new URL(`./static/${file}`, import.meta.resolve('@fastify/swagger-ui/package.json'))
      return reply
        .type(type)
        .header('cache-control', 'max-age=86400')
        .send(await (bytes ??= readFile(path)))
    })
  }
}
