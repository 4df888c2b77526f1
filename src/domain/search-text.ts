import { foldInSlices } from '#src/domain/decompose.ts'
import { fold } from '#src/domain/fold.ts'
import { joinBlanks, readableText } from '#src/domain/readable-text.ts'

/** Combining marks, which a search does not mind. */
const MARKS = /[\u0300-\u036f]+/g
/** Places where a line may break, joiners, directions, variation selectors: what stands in a text and is not shown. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu

/**
 * A text as searches compare it (additions §7): without what nobody sees of it, by NFKD without combining marks, and by
 * case; a run of white space counts as a blank. What is sought and what it is sought in are folded alike, by engines
 * and browser (decision 23).
 */
export const foldForSearch = (text: string): string =>
  foldInSlices(text.replace(UNSEEN, ''), (slice, before) => {
    const folded = joinBlanks(fold(slice.replace(MARKS, '')))
    return before.endsWith(' ') && folded.startsWith(' ') ? folded.slice(1) : folded
  })

/** What of a description is searched: what a reader reads of it. */
export const foldDescription = (html: string): string => foldForSearch(readableText(html))

/**
 * Of a folded text the longest part without blanks. An unfolded text in ASCII alone holds it but for case, wherever
 * the folded one holds the whole.
 */
export const longestWord = (folded: string): string =>
  folded.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest), '')
