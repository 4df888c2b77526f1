import { type Document, isMap, isScalar, parseDocument, Scalar, visit, type YAMLMap, YAMLSeq } from 'yaml'
import { wouldBeRounded } from '#src/domain/number-text.ts'
import { MAX_CELL } from '#src/imports/bounds.ts'
import { valueFault } from '#src/imports/kept-text.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

/** A note taken apart. */
export interface NoteText {
  front: Record<string, unknown>
  body: string
  /** Why it cannot be taken as it is, and at which line. */
  fault?: { message: string; line: number }
}

const FRONT = /^\uFEFF?---[ \t]*\r?\n(?:([^]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/
/** Of front matter; aliases of YAML could make much of little. */
const MAX_FRONT = 256 * 1024

/** Undefined: it is longer than a description may be. */
export async function textOf(file: ArchivedFile): Promise<string | undefined> {
  if (file.size > MAX_CELL * 4) return undefined
  return (await file.read()).toString()
}

export function readNote(text: string): NoteText {
  const found = FRONT.exec(text)
  const whole = text.replace(/^\uFEFF/, '')
  const body = found ? text.slice(found[0].length) : whole
  const broken = brokenIn(text)
  if (broken) return { front: {}, body, fault: broken }
  if (!found) return { front: {}, body }
  const { front, fault } = readFront(found[1] ?? '')
  // Lines between two rules are what the note says.
  return front ? { front, body, ...(fault && { fault }) } : { front: {}, body: whole }
}

/** Of each the parser makes objects: a note of 1 MiB could have a million, and take a gigabyte (decision 136). */
const MARK = /\*+|_+|~+|`+|[[\]|<#\n]/g
const MAX_MARKS = 50_000

/** The line at which it has more of them than is read. */
function tooMarked(text: string): number | undefined {
  let marks = 0
  let line = 1
  for (const [mark] of text.matchAll(MARK)) {
    if (++marks > MAX_MARKS) return line
    if (mark === '\n') line++
  }
  return undefined
}

function brokenIn(text: string): NoteText['fault'] {
  const at = text.search(/[\0\ufffd]/)
  if (at < 0) {
    const line = tooMarked(text)
    return line === undefined
      ? undefined
      : { message: `the note has more than ${MAX_MARKS} lines, links and other marks of Markdown`, line }
  }
  const line = text.slice(0, at).split('\n').length
  return text[at] === '\0'
    ? { message: 'the note has a NUL character', line }
    : { message: 'the note has bytes that are no UTF-8', line }
}

/** The parser goes as deep as the stack, and says of its end what the engine says. */
const isTooDeep = ({ message }: Error): boolean => message.includes('call stack')

/** Without `front` it is none, but text: no mapping, and not empty either. */
function readFront(yaml: string): Partial<Pick<NoteText, 'front' | 'fault'>> {
  if (yaml.length > MAX_FRONT)
    return { front: {}, fault: { message: 'front matter is longer than 256 KiB', line: 1 } }
  const document = parseDocument(yaml, {
    logLevel: 'silent',
    uniqueKeys: false,
    prettyErrors: false,
    merge: false,
    intAsBigInt: true,
    // Of a set, a date or bytes no object is made, of which nothing would be left in a cell.
    resolveKnownTags: false,
  })
  const [error] = document.errors
  if (error) {
    const line = yaml.slice(0, error.pos[0]).split('\n').length + 1
    const message = isTooDeep(error)
      ? 'front matter has too many levels'
      : `front matter is no YAML: ${error.message.split('\n')[0]}`
    return { front: {}, fault: { message, line } }
  }
  if (!document.contents) return { front: {} }
  const twice = keyTwice(document)
  if (twice) {
    const line = yaml.slice(0, twice.at).split('\n').length + 1
    return { front: {}, fault: { message: `front matter has '${twice.key.slice(0, 100)}' twice`, line } }
  }
  keepAsWritten(document, yaml)
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100, reviver: wholeAsKept })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
    // What YAML's escapes made: the text itself has been looked at.
    const fault = valueFault(value)
    if (fault) return { front: {}, fault: { message: `front matter: a text ${fault}`, line: 1 } }
    return { front: value as Record<string, unknown> }
  } catch (thrown) {
    const message = isTooDeep(thrown as Error)
      ? 'front matter has an alias that leads to itself, or too many levels'
      : `front matter: ${(thrown as Error).message}`
    return { front: {}, fault: { message, line: 1 } }
  }
}

/** What YAML reads otherwise than whoever wrote it means it. */
function keepAsWritten(document: Document, yaml: string): void {
  visit(document, {
    Map: (_, map) => (map.tag === SET ? membersOf(map) : placeholderIn(map, yaml)),
    Scalar(_, scalar) {
      const { value, source = '' } = scalar
      const isCode = typeof value === 'bigint' && CODE.test(source)
      // `.inf`, or `1e400`: no number of ours.
      if (isCode || (typeof value === 'number' && !Number.isFinite(value))) scalar.value = source
    },
  })
}

const SET = 'tag:yaml.org,2002:set'

/** YAML writes a set as keys without values. */
function membersOf({ items, anchor }: YAMLMap): YAMLSeq | undefined {
  if (!items.every(({ value }) => value === null || (isScalar(value) && value.value === null)))
    return undefined
  const members = new YAMLSeq()
  members.items = items.map(({ key }) => key)
  if (anchor !== undefined) members.anchor = anchor
  return members
}

/** `{{date}}` of a template: for YAML a mapping whose key is one. */
function placeholderIn({ flow, items: [first], range }: YAMLMap, yaml: string): Scalar | undefined {
  return flow && isMap(first?.key) && range ? new Scalar(yaml.slice(range[0], range[1])) : undefined
}

/** A key that a mapping has once more, of whose values one would be lost. The parser's own look at it is quadratic. */
function keyTwice(document: Document): { key: string; at: number } | undefined {
  let found: { key: string; at: number } | undefined
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const text = String(key.value)
        if (keys.has(text)) {
          found = { key: text, at: key.range?.[0] ?? 0 }
          return visit.BREAK
        }
        keys.add(text)
      }
      return undefined
    },
  })
  return found
}

/** Postal codes and phone numbers, of which a number would keep the digits without what they begin with. */
const CODE = /^(?:[+-]?0\d|\+)/

/** A whole number that would be another one stays the text that it is. */
function wholeAsKept(_key: unknown, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const text = String(value)
  const number = Number(value)
  return wouldBeRounded(text) || !Number.isFinite(number) ? text : number
}
