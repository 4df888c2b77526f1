import { foldInSlices } from '#src/domain/decompose.ts'
import { fold } from '#src/domain/fold.ts'

/** Letters and digits of any script; what else there is does not tell spellings apart. */
const INSIGNIFICANT = /[^\p{L}\p{N}]+/gu
const MARKS = /\p{M}+/gu

/**
 * A text as it counts when duplicates are looked for: without case, accents, blanks and punctuation (additions §12).
 * A text of nothing else counts as it is. More is left out than a search leaves out (`foldForSearch`), where blanks and
 * punctuation tell texts apart.
 */
export const foldForKey = (text: string): string =>
  foldInSlices(text, (slice) => fold(slice.replace(MARKS, '')).replace(INSIGNIFICANT, '')) || text
