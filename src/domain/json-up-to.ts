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
