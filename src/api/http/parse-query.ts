import { textFault } from '#src/json/exact-json.ts'
import type { Problem } from '#src/domain/errors.ts'

/** The texts of a query by name; a name that comes several times has them all. */
export type Query = Record<string, string | string[]>

const FAULTS = Symbol('faults')
/** More pairs than any route takes; the rest is not read. */
const MAX_PAIRS = 1000

/** What is wrong with a query; routes that take their input from it refuse it by these. */
export const queryFaults = (query: object): readonly Problem[] =>
  (query as { [FAULTS]?: Problem[] })[FAULTS] ?? []

/** Never throws: the router calls it before there is a request that could answer. */
export function parseQuery(text: string): Query {
  const query: Query = Object.create(null)
  const faults: Problem[] = []
  const pairs = text ? text.split('&', MAX_PAIRS + 1) : []
  if (pairs.length > MAX_PAIRS)
    faults.push({ path: '', message: `a query has at most ${MAX_PAIRS} parameters` })
  for (const pair of pairs.slice(0, MAX_PAIRS)) {
    if (!pair) continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = decode(at < 0 ? '' : pair.slice(at + 1))
    if (name === null || value === null)
      faults.push({ path: name ?? '', message: 'must be well-formed UTF-8, percent-encoded' })
    else if (name === '__proto__') faults.push({ path: name, message: "the key '__proto__' is not allowed" })
    else {
      const fault = textFault(name) ?? textFault(value)
      if (fault) faults.push({ path: name, message: fault })
      add(query, name, value)
    }
  }
  if (faults.length) Object.defineProperty(query, FAULTS, { value: faults })
  return query
}

function add(query: Query, name: string, value: string): void {
  const before = query[name]
  if (before === undefined) query[name] = value
  else if (typeof before === 'string') query[name] = [before, value]
  else before.push(value)
}

/** null where the bytes are no UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(utf8(text.replaceAll('+', ' ')))
  } catch {
    return null
  }
}

// eslint-disable-next-line no-control-regex
const BYTES = /[\x80-\xff]/

/** Node hands a request's target over byte by byte, and not every client encodes its UTF-8. */
export function utf8(target: string): string {
  return BYTES.test(target)
    ? new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(target, 'latin1'))
    : target
}
