import type { Transform } from 'node:stream'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'

/** In the order in which we like them: how small they make JSON for what they cost. */
const CODINGS = ['zstd', 'br', 'gzip'] as const
export type ContentCoding = (typeof CODINGS)[number]

/** Elements of a header that are looked at. */
export const MAX_CODINGS = 20

/** RFC 9110 §12.5.3: the coding that the client likes best, ours where it likes several alike; undefined: none. */
export function acceptedCoding(header: string | undefined): ContentCoding | undefined {
  if (!header) return undefined
  const weights = new Map(header.split(',', MAX_CODINGS).map(readWeight))
  const weightOf = (coding: ContentCoding) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = Math.max(...CODINGS.map(weightOf))
  if (best <= (weights.get('identity') ?? 0) && best < 1) return undefined
  return best > 0 ? CODINGS.find((coding) => weightOf(coding) === best) : undefined
}

function readWeight(element: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const weight = given === undefined ? 1 : Number(given.slice(given.indexOf('=') + 1))
  return [coding === 'x-gzip' ? 'gzip' : coding, weight >= 0 && weight <= 1 ? weight : 0]
}

/**
 * Answers are made once and read once, so little time is spent on them; and a stream's window is small, because as many
 * may be open as there are readers.
 */
const OPTIONS = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: 18 } },
  br: {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_LGWIN]: 18,
    },
  },
  gzip: { level: 5 },
}
/** Bytes of output at once: fewer turns of the event loop for a long answer. */
const chunkSize = 64 * 1024

/**
 * Bytes up to which it takes less time to compress than to hand it to a thread and back; and there it would wait behind
 * the long answers and the hashes of passwords of others.
 */
const SHORT = 16 * 1024

/** What is short, at once; the rest on a thread of its own. */
export function compress(
  coding: ContentCoding,
  payload: string | Buffer,
  done: (error: Error | null, compressed?: Buffer) => void,
): void {
  if (payload.length <= SHORT) return done(null, compressAtOnce(coding, payload))
  switch (coding) {
    case 'zstd':
      return zstdCompress(payload, { ...OPTIONS.zstd, chunkSize }, done)
    case 'br':
      return brotliCompress(payload, { ...OPTIONS.br, chunkSize }, done)
    case 'gzip':
      return gzip(payload, { ...OPTIONS.gzip, chunkSize }, done)
  }
}

function compressAtOnce(coding: ContentCoding, payload: string | Buffer): Buffer {
  switch (coding) {
    case 'zstd':
      return zstdCompressSync(payload, OPTIONS.zstd)
    case 'br':
      return brotliCompressSync(payload, OPTIONS.br)
    case 'gzip':
      return gzipSync(payload, OPTIONS.gzip)
  }
}

/** A stream that compresses what is written, and lets out what it has at each `flush`. */
export function compressor(coding: ContentCoding): Transform & { flush(done: () => void): void } {
  switch (coding) {
    case 'zstd':
      return createZstdCompress(OPTIONS.zstd)
    case 'br':
      return createBrotliCompress(OPTIONS.br)
    case 'gzip':
      return createGzip(OPTIONS.gzip)
  }
}
