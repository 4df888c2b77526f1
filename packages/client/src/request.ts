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

/** What stands between quotes in If-Match (RFC 9110, 8.8.3); beyond ASCII nothing is sent as it is. */
const STATE = /^[\x21\x23-\x7e]*$/

/** It is no text of Unicode: addresses and JSON would have another character in its place. */
const HALF = /\p{Surrogate}/u

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
  const given = Object.entries(plain(name, 'input is', input))
  const left = new Map<string, unknown>(given.filter(([, value]) => value !== undefined))
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
    return encodeURIComponent(wordOf(segment, `${name}: '${property}'`))
  })
  const key = route.keyed ? (take('idempotency_key') ?? (makeKey ? randomKey() : undefined)) : undefined
  if (key !== undefined && !KEY.test(key))
    throw new TypeError(`${name}: 'idempotency_key' takes 1 to 255 printable ASCII characters`)
  const state = route.if_match ? take('if_updated_at') : undefined
  if (state !== undefined && !STATE.test(state))
    throw new TypeError(`${name}: 'if_updated_at' takes the updated_at of what is changed, as it was read`)
  const headers = {
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(state !== undefined && { 'if-match': `"${state}"` }),
  }
  const { method } = route
  if (method === 'GET') return { method, path: path + queryOf(name, left), headers, body: undefined }
  const body =
    method === 'DELETE' && !left.size ? undefined : JSON.stringify(Object.fromEntries(left), exactly(name))
  return { method, path, headers, body }
}

/**
 * What JSON does not have: it would leave it out, or have null or an empty object in its place, and a value would be
 * cleared.
 */
const exactly = (name: string) =>
  function (this: unknown, property: string, value: unknown): unknown {
    const fault = faultOf(value, (this as Record<string, unknown>)[property], Array.isArray(this))
    if (fault) throw new TypeError(`${name}: '${property}' is ${fault}`)
    return value
  }

function faultOf(value: unknown, given: unknown, inList: boolean): string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? undefined : `${value}, which is no number of JSON`
    case 'undefined':
      return inList ? 'undefined, which no list of JSON holds' : undefined
    case 'function':
    case 'symbol':
    case 'bigint':
      return `a ${typeof value}, which JSON does not have`
    case 'object':
      if (value === null) return given instanceof Date ? 'a Date that is none' : undefined
      return showsNothing(value) ? `a ${value.constructor.name}, of which JSON shows nothing` : undefined
    default:
      return undefined
  }
}

/**
 * The same, where it is an object of properties. Of any other, as a Map, they would be read as none, and everything would
 * be asked for.
 * @throws TypeError
 */
export function plain<T extends object>(name: string, what: 'input is' | 'options are', given: T): T {
  if (typeof given === 'object' && given !== null && isPlain(given)) return given
  const kind = typeof given === 'object' ? (given as object | null)?.constructor?.name : typeof given
  const isNone = kind === undefined || kind === 'undefined'
  const found = isNone ? (kind ?? 'null') : `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`
  throw new TypeError(`${name}: the ${what} ${found}; expected a plain object`)
}

/** Also one of another window. */
function isPlain(value: object): boolean {
  const kind = Object.getPrototypeOf(value) as object | null
  return kind === null || Object.getPrototypeOf(kind) === null
}

/** A Map, a Set, a promise, …: an object of a class whose content is in no property. */
function showsNothing(value: object): boolean {
  if (isPlain(value) || Array.isArray(value) || Object.keys(value).length) return false
  // JSON takes the text of a String, which has no property where it is empty.
  return ![String, Number, Boolean].some((boxed) => value instanceof boxed)
}

function queryOf(name: string, values: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams()
  const said = JSON.parse(JSON.stringify(Object.fromEntries(values), exactly(name))) as Record<string, Json>
  for (const [property, value] of Object.entries(said))
    if (value !== null)
      for (const each of [value].flat()) query.append(property, wordOf(each, `${name}: '${property}'`))
  const text = query.toString()
  return text && `?${text}`
}

type Json = string | number | boolean | object | null

/** @throws TypeError where an address does not hold it as it is */
function wordOf(value: Json, where: string): string {
  if (typeof value === 'object') throw new TypeError(`${where} holds ${value ? 'an object' : 'null'}`)
  const word = String(value)
  if (HALF.test(word)) throw new TypeError(`${where} holds half a character`)
  return word
}

/** `randomUUID` is not there for pages that came by plain HTTP. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
