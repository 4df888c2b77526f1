import { type Expression, sql } from 'kysely'

/**
 * In code points: what an index entry of PostgreSQL (2,704 bytes at the most) surely holds. A text that is shorter
 * is there whole; of others the beginning does, which is right against every text that is not long itself.
 */
export const BEGINNING = 501

export const fillsEntry = (text: string): boolean => pointsOf(text).length === BEGINNING

/** What is in the index for a text. Of an entry that is long only the text itself tells the rest. */
export const beginning = (text: string): string => (fillsEntry(text) ? pointsOf(text).join('') : text)

/** The first code points, each of which is at most two units. */
const pointsOf = (text: string): string[] =>
  text.length < BEGINNING ? [] : Array.from(text.slice(0, 2 * BEGINNING)).slice(0, BEGINNING)

/** The texts of a template as literals, and the expressions between them, in order. */
export const templateParts = (
  text: readonly string[],
  expressions: readonly Expression<unknown>[],
): Expression<unknown>[] =>
  text.flatMap((each, i) => [...(each ? [sql.lit(each)] : []), ...expressions.slice(i, i + 1)])
