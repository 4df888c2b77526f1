import { matchesPattern, type ThrowIfEnded } from '#src/domain/pattern.ts'
import { partsOf } from '#src/domain/text-parts.ts'

/**
 * Tests of a text that Facet carries out itself, in time linear in the text: of a database's own, one takes exponential
 * time for some patterns, the other a look for each part.
 */
export type TextTest =
  /** The RE2 pattern matches somewhere in it. */
  | { test: 'regex'; pattern: string }
  /** It has one of these parts, case counts: of many. */
  | { test: 'any_substring'; texts: readonly string[] }

/** Whether a test is one of these. */
export const isTextTest = <T extends { test: string }>(test: T): test is Extract<T, TextTest> =>
  test.test === 'regex' || test.test === 'any_substring'

/** The test as a function, for many texts. */
export function textHolds(test: TextTest): (text: string, throwIfEnded?: ThrowIfEnded) => boolean {
  if (test.test === 'regex') return (text, throwIfEnded) => matchesPattern(test.pattern, text, throwIfEnded)
  const parts = partsOf(JSON.stringify(test.texts))
  return (text) => parts.isIn(text)
}
