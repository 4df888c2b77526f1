import type { IncomingHttpHeaders } from 'node:http'
import type { ByteRange } from '#src/files/file-store.ts'

const ONE = /^bytes=\s*(\d*)-(\d*)\s*$/i

/**
 * The bytes that a request wants (RFC 9110 §14): null for all of them, also where it wants several ranges or another
 * state of the file; `none` where there are no such bytes.
 */
export function wantedRange(
  headers: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | null | 'none' {
  const { range, 'if-range': unchanged } = headers
  if (range === undefined || (unchanged !== undefined && unchanged !== etag)) return null
  const [, from, to] = ONE.exec(range) ?? []
  if (from === undefined || to === undefined || (!from && !to)) return null
  if (!from) {
    const length = Math.min(Number(to), size)
    return length ? { start: size - length, end: size - 1 } : 'none'
  }
  const start = Number(from)
  const end = to ? Math.min(Number(to), size - 1) : size - 1
  if (to && Number(to) < start) return null
  return start < size ? { start, end } : 'none'
}
