import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

/** `node test/support/generate-clients.ts openapi.json folder`: types and a client, as users generate them. */
const [document = '', folder = ''] = process.argv.slice(2)

// Both generators want the TypeScript 5 that was written in JavaScript.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript5' : specifier, context),
})

const { default: openapiTs, astToString } = await import('openapi-typescript')
const ast = await openapiTs(JSON.parse(readFileSync(document, 'utf8')))
writeFileSync(join(folder, 'openapi.ts'), astToString(ast))

const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: document,
  output: { path: join(folder, 'client') },
  logs: { level: 'silent' },
})
