import type { Route } from './route.ts'

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Taken out of a path by everything on the way: the request would reach another address. */
const NO_SEGMENT = new Set(['', '.', '..'])

/** Printable ASCII, as the service takes one. */
const KEY = /^[\x20-\x7e]{1,255}$/

/**
 * The request of an input: what the path names, what REST takes in headers, the rest as query or body.
 * @throws TypeError where the path or a header would be another one, or JSON would alter a value
 */
export function requestOf(
  name: string,
  route: Route,
  input: object,
  { makeKey }: { makeKey: boolean },
): Request {
  const left = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined))
  const take = (property: string): string | undefined => {
    const value = left.get(property) ?? undefined
    left.delete(property)
    if (value !== undefined && typeof value !== 'string')
      throw new TypeError(`${name}: '${property}' is no text`)
    return value
  }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, property: string) => {
    const segment = take(property) ?? ''
    if (NO_SEGMENT.has(segment)) throw new TypeError(`${name}: '${property}' is missing, or no id`)
    return encodeURIComponent(segment)
  })
  const key = route.keyed ? (take('idempotency_key') ?? (makeKey ? randomKey() : undefined)) : undefined
  if (key !== undefined && !KEY.test(key))
    throw new TypeError(`${name}: 'idempotency_key' takes 1 to 255 printable ASCII characters`)
  const state = route.if_match ? take('if_updated_at') : undefined
  const headers = {
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(state !== undefined && { 'if-match': `"${state}"` }),
  }
  const { method } = route
  if (method === 'GET') return { method, path: path + queryOf(left), headers, body: undefined }
  const body =
    method === 'DELETE' && !left.size ? undefined : JSON.stringify(Object.fromEntries(left), exactly(name))
  return { method, path, headers, body }
}

/**
 * JSON has neither `NaN` nor `Infinity`, no date that is none and nothing for `undefined` in a list, and would say null
 * in their place: a value would be cleared.
 */
const exactly = (name: string) =>
  function (this: unknown, property: string, value: unknown): unknown {
    const given = (this as Record<string, unknown>)[property]
    const fault =
      typeof value === 'number' && !Number.isFinite(value)
        ? `${value}, which is no number of JSON`
        : value === null && given instanceof Date
          ? 'a Date that is none'
          : value === undefined && Array.isArray(this)
            ? 'undefined, which no list of JSON holds'
            : undefined
    if (fault) throw new TypeError(`${name}: '${property}' is ${fault}`)
    return value
  }

function queryOf(values: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of values)
    for (const each of [value as string | number | boolean | null].flat())
      if (each !== null) query.append(name, String(each))
  const text = query.toString()
  return text && `?${text}`
}

/** `randomUUID` is not there for pages that came by plain HTTP. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
