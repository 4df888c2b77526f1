import { type Expression, sql } from 'kysely'

/** The texts of a template as literals, and the expressions between them, in order. */
export const templateParts = (
  text: readonly string[],
  expressions: readonly Expression<unknown>[],
): Expression<unknown>[] =>
  text.flatMap((each, i) => [...(each ? [sql.lit(each)] : []), ...expressions.slice(i, i + 1)])
