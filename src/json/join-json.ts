import { setImmediate } from 'node:timers/promises'
import type { SplitJson } from '#src/json/split-json.ts'

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
