import { expect, it } from 'vitest'
import { GB, sizeInWords } from '#src/cli/doctor/size-in-words.ts'

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [49_152, '48 KB'],
  [1024 ** 2, '1 MB'],
  [GB - 1, '1023 MB'],
  [GB, '1.0 GB'],
  [2.34 * GB, '2.3 GB'],
])('says of %d bytes that they are %s', (bytes, words) => expect(sizeInWords(bytes)).toBe(words))
