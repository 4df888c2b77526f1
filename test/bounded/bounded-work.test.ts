import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '#src/api/http/operation-routes.ts'
import { operations } from '#src/operations/index.ts'
import type { Operation } from '#src/runtime/operation.ts'
import { findFault, findLeak } from '#test/bounded/find-fault.ts'
import { MeasuredProcess } from '#test/bounded/measured-process.ts'
import { BODIES, HEADERS, PATHS, QUERIES } from '#test/bounded/public-requests.ts'
import { type Limits, type Probe, probesOf } from '#test/bounded/probes.ts'
import { Client } from '#test/support/client.ts'
import { runs } from '#test/support/runs.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

// Whatever is sent, twice as much costs no more than two and a half times as much, stops the event loop for no more
// than 250 ms, and nothing of it stays. Over every text, list, map and nesting of every operation through REST and
// MCP, and over queries, headers, cookies and bodies of every public route. Up to the limits, and with every kind of
// text, on demand: BOUNDED_WORK=whole npx vitest run test/bounded
const WHOLE = process.env.BOUNDED_WORK === 'whole'
const TIMEOUT = WHOLE ? 1_200_000 : 60_000
const LIMITS: Limits = WHOLE
  ? { text: 1024 * 1024, list: 10_000, all: true }
  : { text: 64 * 1024, list: 1000, all: false }
/** What fits into the line of a request and its headers. */
const LINE = 7000
const PUBLIC_BODY = 64 * 1024
const LEAK_SIZE = 16_000
/** Tools take the input of their operations, which REST is sent whole. */
const PART_OF_TOOLS = runs(6, 3)
/** Those that are SQL run in threads, and have the rest of their way in common. */
const PART_OF_SQL = 4
/** All routes take headers alike. */
const FEW_HEADERS = ['cookie', 'accept-language']

/** They stay open; each byte of what is sent to them is a query or a header, which all routes take alike. */
const STREAMS = /\/api\/mcp\/sse|\/stream$/

let folder: string
let database: TestDatabase
let service: MeasuredProcess
let user: Client
let ids: Record<string, string> = {}
let made = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-bounded-'))
  database = await testDatabase(folder)
  service = await new MeasuredProcess('facet', database.url).start()
  await signIn()
  await makeEntities()
}, TIMEOUT)
afterAll(async () => {
  await service.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function signIn(): Promise<void> {
  user = new Client(service.url)
  await user.ok('POST', '/api/auth/register', {
    email: `user-${made++}@example.org`,
    password: 'correct horse',
  })
}

/** Something of the caller's behind every parameter of a path. */
async function makeEntities(): Promise<void> {
  const { tag_id } = await user.ok('POST', '/api/tags', {
    name: `Tag ${made++}`,
    fields: { n: 'Number', s: 'String' },
  })
  const { item_id } = await user.ok('POST', '/api/items', {
    name: 'item',
    tags: [{ tag_ref: { Existing: tag_id }, field_values: { n: 1, s: 'x' } }],
  })
  const { view_id } = await user.ok('POST', '/api/views', { name: 'view', filter: { has_tag: tag_id } })
  const { chat_id } = await user.ok('POST', '/api/chats')
  ids = { tag_id, item_id, view_id, chat_id }
}

/** A request of an operation, as REST takes the input. */
function restRequest(
  operation: Operation,
  { method, path }: { method: string; path: string },
  input: object,
) {
  const left = { ...(input as Record<string, unknown>) }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const given = left[name]
    delete left[name]
    return encodeURIComponent(typeof given === 'string' && given.length > 100 ? given : (ids[name] ?? 'none'))
  })
  if (method !== 'GET') return { method, path: filled, body: JSON.stringify(left) }
  const query = new URLSearchParams(
    Object.entries(left).map(([name, each]) => [
      name,
      typeof each === 'string' ? each : JSON.stringify(each),
    ]),
  )
  return { method, path: `${filled}?${query.toString()}`, body: undefined }
}

async function send(request: {
  method: string
  path: string
  body?: string | undefined
  headers?: Record<string, string>
}) {
  const { method, path, body, headers } = request
  const response = await user.fetch(path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(30_000),
  })
  await response.text()
  // 503 is how what takes too long ends.
  if (response.status >= 500 && response.status !== 503)
    throw new Error(`${path.slice(0, 100)} answered ${response.status}`)
}

const toolCall = (name: string, input: unknown) => ({
  method: 'POST',
  path: '/api/mcp/message',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
})

async function check(
  what: string,
  { most }: Pick<Probe, 'most'>,
  request: (size: number) => Parameters<typeof send>[0],
): Promise<string[]> {
  const fault = await findFault(service, (size) => send(request(size)), most)
  return fault ? [`${what} of ${most}: ${fault}`] : []
}

describe('twice as much is no more than twice the work', { timeout: TIMEOUT }, () => {
  for (const operation of operations) {
    const probes = probesOf(operation.input, operation.example?.input, LIMITS)
    for (const route of routesOf(operation).slice(0, 1))
      it(`for ${route.method} ${route.path}`, async () => {
        const faults: string[] = []
        for (const { path, most, input } of probes) {
          const size = route.method === 'GET' ? Math.min(most, LINE) : most
          faults.push(
            ...(await check(path, { most: size }, (n) => restRequest(operation, route, input(n) as object))),
          )
        }
        expect(faults).toEqual([])
        if ((await user.get('/api/auth/me')).status !== 200) await signIn()
        await makeEntities()
      })
    if (operation.tool !== undefined)
      it(`for the tool ${operation.tool}`, async () => {
        const faults: string[] = []
        for (const { path, most, input } of probes.filter((_, i) => WHOLE || i % PART_OF_TOOLS === 0))
          faults.push(
            ...(await check(path, { most }, (n) => toolCall(operation.tool!, { ...(input(n) as object) }))),
          )
        expect(faults).toEqual([])
        await makeEntities()
      })
  }
})

describe('what comes before an operation', { timeout: TIMEOUT }, () => {
  /** What is not open to operations, and one of these for all. */
  const routesToTry = () => {
    const ofOperations = new Set(operations.flatMap(routesOf).map(({ method, path }) => `${method} ${path}`))
    const others = service.routes.filter((each) => !ofOperations.has(each) && !/^(HEAD|OPTIONS) /.test(each))
    return ['POST /api/auth/login', 'POST /api/items/search', ...others].filter((each) => !STREAMS.test(each))
  }

  it('is bounded: queries and headers of every route that is no operation', async () => {
    const faults: string[] = []
    for (const route of routesToTry()) {
      const [method = '', path = ''] = route.replaceAll(/\{\w+\}|\*/g, 'none').split(' ')
      const body = method === 'GET' ? undefined : '{}'
      for (const [what, query] of Object.entries(QUERIES))
        faults.push(
          ...(await check(`${route} ${what}`, { most: LINE }, (n) => ({
            method,
            path: `${path}?${query(n)}`,
            body,
          }))),
        )
      for (const [name, value] of Object.entries(HEADERS).filter(
        ([each]) => WHOLE || route.includes('login') || FEW_HEADERS.includes(each),
      ))
        faults.push(
          ...(await check(`${route} ${name}`, { most: LINE }, (n) => ({
            method,
            path,
            body,
            headers: { [name]: value(n) },
          }))),
        )
    }
    for (const [what, path] of Object.entries(PATHS))
      faults.push(...(await check(what, { most: LINE }, (n) => ({ method: 'GET', path: path(n) }))))
    expect(faults).toEqual([])
  })

  it('is bounded: bodies', async () => {
    const faults: string[] = []
    for (const route of routesToTry()) {
      const [method = '', path = ''] = route.replaceAll(/\{\w+\}|\*/g, 'none').split(' ')
      if (method === 'GET') continue
      for (const [what, [type, body]] of Object.entries(BODIES))
        faults.push(
          ...(await check(`${route} ${what}`, { most: PUBLIC_BODY - 100 }, (n) => ({
            method,
            path,
            body: body(n),
            headers: { 'content-type': type },
          }))),
        )
    }
    expect(faults).toEqual([])
  })
})

describe('nothing stays', { timeout: TIMEOUT }, () => {
  it('of requests of which each is another', async () => {
    const faults: string[] = []
    let salt = 0
    const chosen = operations.filter(
      ({ effect }, i) => WHOLE || effect === 'compose' || i % PART_OF_SQL === 0,
    )
    for (const operation of chosen)
      for (const route of routesOf(operation).slice(0, 1)) {
        const [probe] = probesOf(operation.input, operation.example?.input, { ...LIMITS, all: false }).filter(
          ({ path }) => path.includes('text'),
        )
        if (!probe) continue
        const size = Math.min(probe.most, route.method === 'GET' ? LINE : LEAK_SIZE)
        if (size < LINE) continue
        const fault = await findLeak(
          service,
          (n) => {
            const filled = JSON.parse(
              JSON.stringify(probe.input(n)).replace(/(.)\1{50}/, `$&${salt++}`),
            ) as object
            return send(restRequest(operation, route, filled))
          },
          size,
        )
        if (fault) faults.push(`${route.method} ${route.path} ${probe.path}: ${fault}`)
        if ((await user.get('/api/auth/me')).status !== 200) await signIn()
      }
    expect(faults).toEqual([])
  })
})
