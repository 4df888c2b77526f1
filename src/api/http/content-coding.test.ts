import { describe, expect, it } from 'vitest'
import { acceptedCoding } from '#src/api/http/content-coding.ts'

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
