import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { routesOf } from '#src/api/http/operation-routes.ts'
import { operations } from '#src/operations/index.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import { startService, type Service } from '#test/support/service.ts'

/* oxlint-disable typescript/no-explicit-any -- the document is walked, not typed */
interface Document {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, any>>
  components: { schemas: Record<string, object>; responses: Record<string, any> }
}

describe('GET /api/openapi.json', () => {
  let service: Service
  let document: Document
  beforeAll(async () => {
    service = await startService()
    document = (await service.client().get('/api/openapi.json')).body
  })
  afterAll(() => service.close())

  const each = (visit: (operation: any, route: string) => void) => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(methods))
        visit(operation, `${method.toUpperCase()} ${path}`)
  }

  it('types no object as an empty one, for generators of clients', () => {
    const faults: string[] = []
    const look = (value: any, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      if (value.patternProperties) faults.push(`${path}: patternProperties`)
      const says = ['properties', 'additionalProperties', '$ref', 'oneOf', 'anyOf', 'allOf', 'required']
      if (value.type === 'object' && !says.some((key) => key in value)) faults.push(`${path}: empty`)
      for (const [key, each] of Object.entries(value))
        if (key !== 'example' && key !== 'examples') look(each, `${path}.${key}`)
    }
    look(document.components.schemas, 'schemas')
    look(document.paths, 'paths')
    expect(faults).toEqual([])
  })

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as never)
    expect(result.errors ?? []).toEqual([])
    expect(document.openapi).toBe('3.1.0')
  })

  it('describes every route, and no other', async () => {
    const described: string[] = []
    each((_, route) => described.push(route))
    const known = [
      ...operations.flatMap(routesOf).map(({ method, path }) => `${method} ${path}`),
      ...Object.values(describedRoutes).flatMap(Object.keys),
    ]
    expect(described.sort()).toEqual([...new Set(known)].sort())
    for (const route of described) {
      const [method = '', path = ''] = route.split(' ')
      const { headers } = await service.client().send('OPTIONS', path.replaceAll(/\{\w+\}/g, 'x'))
      expect([route, headers.get('allow')?.split(', ')]).toEqual([route, expect.arrayContaining([method])])
    }
  })

  it('leaves out no route of the server', () => {
    const api = service.routes().filter((route) => route.includes(' /api/') && !/^HEAD|\.\w+$/.test(route))
    const described: string[] = ['GET /api/openapi.json']
    each((_, route) => described.push(route))
    expect(api.filter((route) => !described.includes(route))).toEqual([])
  })

  it('names each operation once', () => {
    const names: string[] = []
    each(({ operationId }) => names.push(operationId))
    expect(new Set(names).size).toBe(names.length)
  })

  it('gives every operation a summary, security, errors and examples', () => {
    const lacking: string[] = []
    each((operation, route) => {
      const { summary, security, responses, requestBody } = operation
      const need = (what: string, there: unknown) => there || lacking.push(`${route}: ${what}`)
      need('summary', /^[A-Z].*\.$/.test(summary))
      need('security', Array.isArray(security))
      need('500', responses[500]?.$ref)
      need('401', !security.length || responses[401])
      need('403', route.startsWith('GET') || responses[403])
      if (requestBody) need('a body', responses[413] && responses[415] && responses[400])
      const contents = [requestBody, ...Object.values<any>(responses)].flatMap((each) =>
        Object.values<any>(each?.content ?? {}),
      )
      for (const content of contents)
        need('an example', content.example !== undefined || content.schema.type === 'string')
    })
    expect(lacking).toEqual([])
  })

  it('has examples that are valid', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    ajv.addSchema({ $id: 'doc', ...document })
    const faults: string[] = []
    each(({ requestBody, responses }, route) => {
      const contents = [requestBody, ...Object.values<any>(responses)].flatMap((each) =>
        Object.values<any>(each?.content ?? {}),
      )
      for (const { schema, example } of contents) {
        const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'))
        if (example !== undefined && !ajv.validate(resolved, example))
          faults.push(`${route}: ${ajv.errorsText()} in ${JSON.stringify(example).slice(0, 200)}`)
      }
    })
    expect(faults).toEqual([])
  })

  for (const operation of operations.filter(({ example }) => example?.input))
    it(`has an example that ${operation.name} takes`, async () => {
      // A tool's `fields` chooses properties of what REST answers; an id in the path goes without saying.
      const shown = { ...(operation.example!.input as Record<string, unknown>) }
      if (!('fields' in operation.input.properties)) delete shown.fields
      const inPath = [
        ...[operation.rest]
          .flat()
          .join()
          .matchAll(/\{(\w+)\}/g),
      ].map(([, name]) => [name, 'x'])
      await expect(
        validateInput(operation, { ...Object.fromEntries(inPath), ...shown }),
      ).resolves.toBeDefined()
    })

  it('is open to everybody, with the explorer, under a strict policy', async () => {
    const page = await service.client().get('/api/swagger-ui/')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/)
    const links = [...(page.body as string).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
    expect(links).toHaveLength(4)
    for (const link of links) {
      expect(link).toMatch(/^\/api\/swagger-ui\//)
      const asset = await service.client().fetch(link)
      expect([asset.status, (await asset.arrayBuffer()).byteLength > 100]).toEqual([200, true])
    }
  })
})
