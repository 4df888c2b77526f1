import { invalid } from '#src/domain/errors.ts'

/** Bytes of JSON that a client keeps for itself. */
export const MAX_KEPT_JSON = 64 * 1024
/** Bytes of a filter that is kept: ten thousand ids, and room. */
export const MAX_KEPT_FILTER = 512 * 1024

/**
 * A value as JSON text of at most `max` bytes, to be stored.
 * @throws BadRequest that names the limit
 */
export function jsonUpTo(value: unknown, path: string, max: number): string {
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > max)
    throw invalid([{ path, message: `must be at most ${max} bytes as JSON, got ${Buffer.byteLength(json)}` }])
  return json
}

/** Texts of the first of `all`, until they have `max` characters in all; of one at least, where there is one. */
export async function textsUpTo<T>(
  all: readonly T[],
  max: number,
  textOf: (each: T) => string | Promise<string>,
): Promise<string[]> {
  const texts: string[] = []
  let size = 0
  for (const each of all) {
    if (size >= max) break
    const text = await textOf(each)
    texts.push(text)
    size += text.length
  }
  return texts
}
