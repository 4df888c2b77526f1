import { isUtf8 } from 'node:buffer'
import { badRequest, invalid, type Problem } from '#src/domain/errors.ts'
import { JsonSyntaxError, JsonScanner } from '#src/json/json-scanner.ts'

/** Objects and arrays inside each other, counted from an operation's input. */
export const MAX_DEPTH = 128
/** Values of a text, objects and arrays included: each costs memory and time in every thread that it passes. */
export const MAX_VALUES = 1_000_000
/** Of one object: more would be no record of anything, and each costs much more than a value of a list. */
export const MAX_KEYS = 10_000

export interface ExactJsonOptions {
  /** For a protocol whose envelope is around the input: MAX_DEPTH and the envelope's own levels. */
  maxDepth?: number
  /** Of all objects together; without it as many as there may be values. */
  maxKeys?: number
  /** How messages call the text. */
  what?: string
}

/**
 * The value of a JSON text, or a refusal of what could not be kept exactly: ill-formed UTF-8, lone surrogates,
 * U+0000, infinite numbers, integers that would be rounded, keys that are `__proto__` or appear twice, nesting that is
 * too deep; and of more values than the service could handle without stopping for others (decision 51).
 * @throws JsonSyntaxError (a BadRequest) with line and column; BadRequest with every fault in `details.errors`.
 */
export function parseExactJson(
  source: string | Buffer,
  { maxDepth = MAX_DEPTH, maxKeys = Infinity, what = 'The body' }: ExactJsonOptions = {},
): unknown {
  if (typeof source !== 'string' && !isUtf8(source)) throw notUtf8(source, maxDepth, what)
  const text = withoutMark(typeof source === 'string' ? source : source.toString())
  const glance = glanceAt(text, maxDepth)
  if (glance.keys > maxKeys)
    throw invalid([{ path: '', message: `must have at most ${maxKeys} properties, got ${glance.keys}` }])
  let value: unknown
  if (!glance.suspect) {
    try {
      value = JSON.parse(text)
    } catch {
      throw syntaxError(text, maxDepth, what)
    }
    if (countKeys(value) === glance.keys) return value
  }
  const problems = scan(text, maxDepth, what)
  if (problems.length) throw invalid(problems)
  return JSON.parse(text)
}

/** What is wrong with a text that did not come as JSON (path, query, form), or null. */
export function textFault(text: string): string | null {
  if (text.includes('\0')) return NUL
  return text.isWellFormed() ? null : ILL_FORMED
}

const NUL = 'must not contain U+0000'
const ILL_FORMED = 'must be well-formed Unicode (it holds a lone surrogate)'

const withoutMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

interface Glance {
  /** Something in the text wants the thorough look. */
  suspect: boolean
  /** Colons outside strings: as many as the value has keys, unless one appears twice. */
  keys: number
}

const [QUOTE, BACKSLASH, COLON, COMMA, SMALL_U] = [0x22, 0x5c, 0x3a, 0x2c, 0x75]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const [ZERO, NINE] = [0x30, 0x39]
/** 15 digits are always below 2^53. */
const SAFE_DIGITS = 15

/** One cheap pass that clears ordinary bodies; a false alarm costs time, never truth. */
function glanceAt(text: string, maxDepth: number): Glance {
  let depth = 0
  let keys = 0
  let values = 1
  let digits = 0
  /** Of the objects around the place, by depth. */
  const own: number[] = [0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= ZERO && code <= NINE) {
      if (++digits > SAFE_DIGITS) return { suspect: true, keys }
      continue
    }
    digits = 0
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++)
        if (text.charCodeAt(i) === BACKSLASH && text.charCodeAt(++i) === SMALL_U && isSuspectEscape(text, i))
          return { suspect: true, keys }
    } else if (code === COLON) {
      keys++
      if (++own[depth]! > MAX_KEYS) return { suspect: true, keys }
    } else if (code === COMMA) values++
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      values++
      if (++depth > maxDepth) return { suspect: true, keys }
      own[depth] = 0
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth = Math.max(0, depth - 1)
    else if ((code === 0x65 || code === 0x45) && isSuspectExponent(text, i)) return { suspect: true, keys }
  }
  return { suspect: values > MAX_VALUES || text.includes('__proto__'), keys }
}

/** Surrogates, and ASCII (U+0000, or an underscore of `__proto__`) written as an escape. */
function isSuspectEscape(text: string, at: number): boolean {
  const first = text.charCodeAt(at + 1) | 0x20
  if (first === 0x64) return true
  return first === (ZERO | 0x20) && text.charCodeAt(at + 2) === ZERO && text.charCodeAt(at + 3) < 0x38
}

/** With fewer than three digits no number of at most 15 digits before it becomes infinite. */
const isSuspectExponent = (text: string, at: number) => /^[eE]\+?\d{3}/.test(text.slice(at, at + 5))

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) for (const each of value) keys += countKeys(each)
  else for (const name in value) keys += 1 + countKeys((value as Record<string, unknown>)[name])
  return keys
}

const limits = (maxDepth: number) => ({ maxDepth, maxValues: MAX_VALUES, maxKeys: MAX_KEYS })

function scan(text: string, maxDepth: number, what: string): Problem[] {
  return new JsonScanner(text, { ...limits(maxDepth), what, faultOf: textFault }).scan()
}

function syntaxError(text: string, maxDepth: number, what: string): Error {
  try {
    const problems = scan(text, maxDepth, what)
    return problems.length ? invalid(problems) : new JsonSyntaxError(`${what} is not valid JSON`)
  } catch (error) {
    return error as Error
  }
}

/** JSON's structure is ASCII, so the bytes can be walked one by one and each string be looked at by itself. */
function notUtf8(source: Buffer, maxDepth: number, what: string): Error {
  const decode = (latin1: string) => Buffer.from(latin1, 'latin1')
  const faultOf = (latin1: string) => (isUtf8(decode(latin1)) ? null : 'must be well-formed UTF-8')
  const nameOf = (latin1: string) => decode(latin1).toString()
  try {
    const options = { ...limits(maxDepth), what, faultOf, nameOf }
    const problems = new JsonScanner(source.toString('latin1'), options).scan()
    return problems.length ? invalid(problems) : badRequest(`${what} is not well-formed UTF-8`)
  } catch (error) {
    return error as Error
  }
}
