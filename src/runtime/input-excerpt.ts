import { isRecord } from '#src/domain/is-record.ts'
import { branchFor, type InputSchema } from '#src/runtime/input-schema.ts'

/** Elements of arrays, all told, and properties that a schema does not know, in one object and all told. */
const MAX_ELEMENTS = 500
const MAX_UNKNOWN = 100
const MAX_ALL_UNKNOWN = 500

/**
 * As much of a faulty input as is looked through for all its faults: a body of a million wrong elements must not
 * become millions of error objects. What the schema leaves open is not cut, because it is not looked through.
 */
export function excerptOf(schema: InputSchema, input: unknown): { excerpt: unknown; isCut: boolean } {
  let left = MAX_ELEMENTS
  let leftUnknown = MAX_ALL_UNKNOWN
  let isCut = false

  function excerptList({ items, minItems = 0 }: InputSchema, list: readonly unknown[]): unknown {
    if (!items) return list
    const elements: unknown[] = []
    for (const each of list) {
      if (left <= 0 && elements.length >= minItems) {
        isCut = true
        break
      }
      left--
      elements.push(excerpt(items, each))
    }
    return elements
  }

  function excerptRecord(properties: Record<string, InputSchema>, record: Record<string, unknown>): unknown {
    const entries: [string, unknown][] = []
    let unknown = 0
    // One is enough to show that an object is wrong.
    const most = Math.max(1, Math.min(MAX_UNKNOWN, leftUnknown))
    for (const name of Object.keys(record))
      if (Object.hasOwn(properties, name)) entries.push([name, excerpt(properties[name]!, record[name])])
      else if (unknown++ < most) entries.push([name, record[name]])
    leftUnknown -= unknown
    isCut ||= unknown > most
    return Object.fromEntries(entries)
  }

  function excerpt(given: InputSchema, value: unknown): unknown {
    const schema = branchFor(given, value)
    if (Array.isArray(value)) return excerptList(schema, value)
    return isRecord(value) && schema.properties ? excerptRecord(schema.properties, value) : value
  }

  return { excerpt: excerpt(schema, input), isCut }
}
