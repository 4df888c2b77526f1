import { setImmediate } from 'node:timers/promises'
import type { SplitJson } from '#src/json/split-json.ts'

/** JSON as text, or as the bytes that an engine gives out. */
export type JsonText = string | Buffer

const COMMA = 0x2c

/**
 * One JSON array of all elements of arrays that have some: text where the first is, else bytes. What is bytes may be
 * written to.
 */
export function joinLists(lists: readonly JsonText[]): JsonText {
  const [only = '[]', ...others] = lists
  if (!others.length) return only
  if (typeof only === 'string') return `[${lists.map((list) => String(list).slice(1, -1)).join()}]`
  const last = lists.length - 1
  return Buffer.concat(
    lists.map((list, i) => {
      const bytes = typeof list === 'string' ? Buffer.from(list) : list
      if (i) bytes[0] = COMMA // in place of the bracket, as the one before has lost its own
      return i < last ? bytes.subarray(0, -1) : bytes
    }),
  )
}

/** The value of a text that was cut, read a piece in each turn of the event loop. */
export async function joinJson({ outer, path, pieces }: SplitJson): Promise<unknown> {
  const value: unknown = JSON.parse(outer)
  let list = value as Record<string, unknown>
  for (const key of path) list = list[key] as Record<string, unknown>
  for (const piece of pieces) {
    await setImmediate()
    for (const each of JSON.parse(piece) as unknown[]) (list as unknown as unknown[]).push(each)
  }
  return value
}
