import { canRepeat } from '#src/runtime/call.ts'
import type { RouteAnswer, RouteContent, RouteDescription } from '#src/api/http/openapi/route-descriptions.ts'
import { errorReferences } from '#src/api/http/openapi/openapi-errors.ts'
import { exampleOf, type JsonSchema, type OpenApiSchemas } from '#src/api/http/openapi/openapi-schemas.ts'
import type { ErrorCode } from '#src/domain/errors.ts'
import { KeptCall } from '#src/operations/proposals/proposal-schemas.ts'
import { isOpenToKeys, isProposable } from '#src/runtime/may-call.ts'
import type { Access, Operation } from '#src/runtime/operation.ts'

interface Route {
  method: string
  path: string
}

const LIST_HEADERS = {
  'X-Next-Cursor': 'The cursor (`after`) of the following page, where there is one',
  'X-Total-Count': 'All matches, when `count` was asked for',
  'X-Event-Id': 'Of a search: the newest event that it saw, for `after` of a stream',
  'X-Unread-Count': 'Of notifications: how many are unread',
}
const LOG_HEADERS = {
  'X-Next-Cursor':
    'The cursor (`before_event`, or `after_event` where that was given) of the following page, where there is one',
}
const WARNINGS = { 'X-Filter-Warnings': 'What can never match, as a JSON array of texts in ASCII' }
const ETAG = { ETag: 'The state of the entity: its updated_at' }
const CHANGE_HEADERS = {
  'X-Change-Id': 'The change, for `POST /api/changes/undo`, where something was changed',
  'Idempotency-Replayed': '`true` where the request came before under its Idempotency-Key',
}

const NOT_MODIFIED = { description: 'It is the one of If-None-Match' }

const headOf = (
  { name, summary, description, access }: Pick<Operation, 'name' | 'summary' | 'description' | 'access'>,
  { method, path }: Route,
): JsonSchema => ({
  operationId: name,
  summary,
  ...(description && { description }),
  tags: [tagOf(path)],
  security: securityOf(access, `${method} ${path}`),
})

/** How an operation reads at one of its routes. */
export function describeOperation(
  operation: Operation,
  { method, path }: Route,
  schemas: OpenApiSchemas,
): JsonSchema {
  const { input, access, example, errors, is_body } = operation
  const { inPath, rest } = splitInput(operation, path)
  const hasBody = method !== 'GET' && (is_body || Object.keys(rest.properties as object).length > 0)
  const sent = shownInput(example?.input, inPath)
  return {
    ...headOf(operation, { method, path }),
    parameters: [
      ...inPath.map((each) => parameter('path', each, input.properties[each], true, schemas)),
      ...(method === 'GET' ? queryParameters(rest, schemas) : []),
      ...headerParameters(operation),
    ],
    ...(hasBody && {
      requestBody: {
        required: is_body || (rest.required as unknown[]).length > 0,
        content: { 'application/json': { schema: schemas.convert(rest), example: sent ?? exampleOf(rest) } },
      },
    }),
    responses: {
      200: successOf(operation, schemas),
      ...(operation.conditional && operation.effect === 'read' && { 304: NOT_MODIFIED }),
      ...(operation.accepts && { 202: { ...successOf(operation, schemas), description: 'It goes on' } }),
      ...(operation.creates && { 201: successOf(operation, schemas) }),
      ...(isProposable(operation) && { 202: keptOf(schemas) }),
      ...errorReferences(
        errorsOf({ access, method, isIdentified: true, hasInput: true }, [
          ...(errors ?? []),
          ...conditionErrors(operation),
        ]),
      ),
    },
  }
}

const successOf = (operation: Operation, schemas: OpenApiSchemas): object => ({
  description: 'Success',
  ...headersOf(operation),
  content: {
    'application/json': {
      schema: schemas.convert(operation.output),
      example: operation.example?.output ?? exampleOf(operation.output as JsonSchema),
    },
  },
})

/** What the headers of its answer may say (reference/http.md). */
function headersOf(operation: Operation): { headers?: object } {
  const { paged, conditional, input } = operation
  // A key has a filter in its `limit`.
  const takesFilter = ['filter', 'limit'].some((name) => Object.hasOwn(input.properties, name))
  const named = {
    ...(paged && LIST_HEADERS),
    ...(Object.hasOwn(input.properties, 'before_event') && LOG_HEADERS),
    ...((paged || takesFilter) && WARNINGS),
    ...(conditional && ETAG),
    ...(canRepeat(operation) && CHANGE_HEADERS),
  }
  const headers = Object.entries(named).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return headers.length ? { headers: Object.fromEntries(headers) as object } : {}
}

/** Where the caller may only propose (further §16). */
const keptOf = (schemas: OpenApiSchemas): object => ({
  description: 'The key or app may only propose: it is kept as a proposal',
  content: {
    'application/json': {
      schema: schemas.convert(KeptCall),
      example: exampleOf(KeptCall as unknown as JsonSchema),
    },
  },
})

/** How a route that is no operation reads. */
export function describeRoute(
  described: RouteDescription,
  { method, path }: Route,
  schemas: OpenApiSchemas,
): JsonSchema {
  const { access, effect, query = {}, required = [], body, answers, errors } = described
  const shape = {
    access,
    method,
    isIdentified: effect !== undefined,
    hasInput: Object.keys(query).length > 0,
  }
  return {
    ...headOf(described, { method, path }),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, each]) =>
        parameter('path', each!, undefined, true, schemas),
      ),
      ...Object.entries(query).map(([each, schema]) =>
        parameter('query', each, schema, required.includes(each), schemas),
      ),
    ],
    ...(body && { requestBody: { required: true, content: contentOf(body, schemas) } }),
    responses: {
      ...errorReferences(errorsOf(shape, errors)),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, responseOf(answer, schemas)]),
      ),
    },
  }
}

function responseOf(
  { description, type, schema, example, also = [] }: RouteAnswer,
  schemas: OpenApiSchemas,
): object {
  if (!type || !schema) return { description }
  const contents = [{ type, schema, example }, ...also].map((each) => contentOf(each, schemas))
  return { description, content: Object.assign({}, ...contents) as object }
}

const contentOf = ({ type, schema, example }: RouteContent, schemas: OpenApiSchemas) => ({
  [type]: { schema: schemas.convert(schema), example: example ?? exampleOf(schema as JsonSchema) },
})

/** The part of the input that is in the path, and the rest as a schema of its own. */
function splitInput(
  { input, ignores = [] }: Operation,
  path: string,
): { inPath: string[]; rest: JsonSchema } {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const properties = Object.entries(input.properties).filter(([name]) => !inPath.includes(name))
  const ignored = ignores
    .filter((name) => !properties.some(([known]) => known === name))
    .map((name) => [
      name,
      { readOnly: true, description: 'Accepted, so that what was read can be sent back, and ignored' },
    ])
  const required = (input.required ?? []) as string[]
  const rest = {
    type: 'object',
    properties: Object.fromEntries([...properties, ...(properties.length ? ignored : [])]),
    required: required.filter((name) => !inPath.includes(name)),
    additionalProperties: (input as { additionalProperties?: unknown }).additionalProperties ?? false,
  }
  return { inPath, rest }
}

function shownInput(example: unknown, inPath: readonly string[]): unknown {
  if (typeof example !== 'object' || example === null) return undefined
  return Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.includes(name)))
}

function queryParameters({ properties, required }: JsonSchema, schemas: OpenApiSchemas): object[] {
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) =>
    parameter('query', name, schema, (required as string[]).includes(name), schemas),
  )
}

function parameter(
  place: 'path' | 'query',
  name: string,
  schema: object | undefined,
  required: boolean,
  schemas: OpenApiSchemas,
): object {
  const { description, ...shown } = schemas.convert(schema ?? { type: 'string' })
  return { name, in: place, required, ...(description !== undefined && { description }), schema: shown }
}

/** What an operation takes in headers (additions §5). */
function headerParameters(operation: Operation): object[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  const { conditional, effect } = operation
  return [
    ...(conditional && effect === 'read'
      ? [header('If-None-Match', 'An ETag that the client has: 304 where it is still that one')]
      : []),
    ...(conditional && effect === 'write'
      ? [header('If-Match', 'The ETag of the only state that is to be changed, else 412; * for any')]
      : []),
    ...(canRepeat(operation)
      ? [header('Idempotency-Key', 'Sent again with the same key within 24 hours, it is carried out once')]
      : []),
  ]
}

const conditionErrors = (operation: Operation): ErrorCode[] => [
  ...(operation.conditional && operation.effect === 'write' ? (['PreconditionFailed'] as const) : []),
  ...(canRepeat(operation) ? (['Conflict', 'UnprocessableEntity'] as const) : []),
]

/** A partial session has the same cookie. */
const securityOf = (access: Access, rest: string): object[] =>
  access === 'none' ? [] : [{ session: [] }, ...(isOpenToKeys(rest) ? [{ key: [] }] : [])]

const tagOf = (path: string): string => path.split('/')[2] ?? 'service'

interface Shape {
  access: Access
  method: string
  /** Whoever calls is looked up: a wrong key is refused, also where none is needed, and one that does not reach it. */
  isIdentified: boolean
  /** There is something to be wrong, besides a body, which any method but GET may get. */
  hasInput: boolean
}

function errorsOf(
  { access, method, isIdentified, hasInput }: Shape,
  own: readonly string[] = [],
): ErrorCode[] {
  const hasBody = method !== 'GET'
  return [
    ...(hasInput || hasBody ? (['BadRequest'] as const) : []),
    ...(isIdentified ? (['Unauthorized', 'TooManyRequests'] as const) : []),
    ...(isIdentified || hasBody ? (['Forbidden'] as const) : []),
    ...(hasBody ? (['PayloadTooLarge', 'UnsupportedMediaType'] as const) : []),
    ...(hasBody && access === 'user' ? (['RequestTimeout'] as const) : []),
    ...(own as readonly ErrorCode[]),
    'InternalServerError',
    'ServiceUnavailable',
  ]
}
