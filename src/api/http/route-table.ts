import type { FastifyInstance } from 'fastify'
import { ServiceError } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'

/** A route as Fastify has it, `/api/items/:item_id`. */
interface Entry {
  methods: Set<string>
  segments: readonly string[]
}

/** A trailing slash does not count; an empty segment does. */
const segmentsOf = (path: string) => path.replaceAll(/^\/|\/$/g, '').split('/')
const isParameter = (segment: string) => segment.startsWith(':')

/** All routes, for what the router itself cannot answer: which methods a path has, and what was probably meant. */
export class RouteTable {
  private readonly entries = new Map<string, Entry>()

  /** Notes every route that is registered from now on: all that are known, and no others. */
  constructor(app: FastifyInstance, known: readonly string[]) {
    const missing = new Set(known)
    app.addHook('onRoute', ({ method, url }) => {
      const entry = this.entries.get(url) ?? { methods: new Set(), segments: segmentsOf(url) }
      for (const each of [method].flat()) {
        entry.methods.add(each)
        const route = `${each} ${shown(entry.segments)}`
        // Fastify adds a HEAD to each GET.
        if (!missing.delete(route) && each !== 'HEAD') throw new Error(`${route} is in no table, or twice`)
      }
      this.entries.set(url, entry)
    })
    app.addHook('onReady', async () => {
      if (missing.size) throw new Error(`Nothing answers to ${[...missing].join(', ')}`)
    })
  }

  /** Method and path of each, parameters in braces. */
  list(): string[] {
    return [...this.entries.values()].flatMap(({ methods, segments }) =>
      [...methods].map((method) => `${method} ${shown(segments)}`),
    )
  }

  /** The methods that a path answers to; empty where there is no such route. */
  methodsOf(path: string): string[] {
    const segments = segmentsOf(path)
    const methods = new Set<string>()
    for (const entry of this.entries.values())
      if (fits(entry.segments, segments)) for (const each of entry.methods) methods.add(each)
    return methods.size ? [...methods.add('OPTIONS')].sort() : []
  }

  /** What to answer where the router found nothing: 405 where another method would do, else 404. */
  refusal(method: string, path: string): ServiceError {
    const allowed = this.methodsOf(path)
    if (allowed.length)
      return new ServiceError('MethodNotAllowed', `${path} does not answer to ${method}`, {
        suggestion: `Use ${allowed.filter((each) => each !== 'OPTIONS' && each !== 'HEAD').join(' or ')}`,
        details: { allowed },
      })
    return new ServiceError('NotFound', `There is no route ${method} ${path}`, {
      suggestion: this.nearestTo(method, path) ?? 'GET /api/openapi.json lists every route',
    })
  }

  /** Also of a path whose `/api` is missing or written twice, or that has a slash too many. */
  private nearestTo(method: string, given: string): string | undefined {
    const parts = segmentsOf(given).filter(Boolean)
    const bare = parts.findIndex((each) => each !== 'api')
    return (
      this.near(method, parts) ?? (bare < 0 ? undefined : this.near(method, ['api', ...parts.slice(bare)]))
    )
  }

  private near(method: string, segments: readonly string[]): string | undefined {
    const candidates = new Map<string, Entry>()
    for (const entry of this.entries.values())
      // What a parameter stands for is alike everywhere, and long: each of the other parts has to be near by itself.
      if (
        entry.segments.length === segments.length &&
        entry.segments.every((each, i) => isParameter(each) || nearest(segments[i]!, [each]) !== undefined)
      ) {
        const filled = entry.segments.map((each, i) => (isParameter(each) ? segments[i] : each))
        const path = `/${filled.join('/')}`
        // Of two that the path fits, the one that answers.
        if (!candidates.get(path)?.methods.has(method)) candidates.set(path, entry)
      }
    const close = nearest(`/${segments.join('/')}`, candidates.keys())
    const entry = close && candidates.get(close)
    if (!entry) return undefined
    const methods = [...entry.methods].filter((each) => each !== 'HEAD')
    return `Did you mean ${methods.join(' or ')} ${shown(entry.segments)}?`
  }
}

const shown = (segments: readonly string[]) =>
  `/${segments.map((each) => (isParameter(each) ? `{${each.slice(1)}}` : each)).join('/')}`

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.at(-1) === '*')
    return segments.length >= pattern.length && pattern.slice(0, -1).every((each, i) => each === segments[i])
  return (
    pattern.length === segments.length &&
    pattern.every((each, i) => isParameter(each) || each === segments[i])
  )
}

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteTable
  }
}
