/**
 * An RE2 pattern that remembers thousands of places in a run of letters: each letter takes it a tenth of a millisecond.
 * What a pattern has met once it is quick at: each number gives another one.
 */
export const endlessPattern = (number: number): string =>
  `${'\\pL{0,900}'.repeat(3)}\\pL{0,${800 + number}}\\pN`

/** A run of this many letters, in which it does not match. */
export const letters = (count: number): string =>
  Array.from({ length: count }, (_, i) => String.fromCharCode(97 + ((i * 7919 + (i >> 3)) % 26))).join('')
