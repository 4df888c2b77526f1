import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { acceptedCoding, compress } from '#src/api/http/content-coding.ts'

describe('the accepted coding (RFC 9110 §12.5.3)', () => {
  const cases: [header: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.1, *;q=0', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0', undefined],
    ['zstd;q=0, *', 'br'],
    ['gzip; q=0.000', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.8', 'gzip'],
    ['deflate', undefined],
    ['gzip;q=nonsense', undefined],
  ]
  for (const [header, coding] of cases)
    it(`of ${JSON.stringify(header)} is ${coding}`, () => expect(acceptedCoding(header)).toBe(coding))
})

describe.each([
  ['zstd', zstdDecompressSync],
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('an answer in %s', (coding, decompress) => {
  const textOf = (length: number) => Array.from({ length }, (_, i) => `entry ${i * 7919} ü`).join()

  it('that is short is compressed at once, behind nobody', () => {
    const text = textOf(500)
    let compressed: Buffer | undefined
    compress(coding, text, (_, made) => (compressed = made))
    expect(decompress(compressed!).toString()).toBe(text)
    expect(compressed!.length).toBeLessThan(text.length / 2)
  })

  it('that is long is compressed on another thread', async () => {
    const text = textOf(50_000)
    expect(decompress((await promisify(compress)(coding, text)) as Buffer).toString()).toBe(text)
  })
})
