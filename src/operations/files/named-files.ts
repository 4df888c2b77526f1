import { invalid, type Problem } from '#src/domain/errors.ts'
import { filesAdded } from '#src/domain/mentioned-files.ts'
import { usableFiles } from '#src/operations/files/known-files.ts'
import type { SqlContext } from '#src/runtime/operation.ts'

/** Texts that are to be, each in its place, and what is there so far. */
export interface GivenTexts {
  /** Before the name of each, e.g. `items[3].`. */
  path: string
  texts: Readonly<Record<string, unknown>>
  stored?: Readonly<Record<string, unknown>>
}

/**
 * What a key or an app that sees a part names anew in texts and may not use, for each that is given: there is no such
 * file for it, as in a value of a File. Asked before anything is written, for it reads what an item in its sight names
 * and has (decision 131), and the item may have had the file all along where it does not see it.
 */
export async function faultsOfNamedFiles(
  context: Pick<SqlContext, 'db' | 'caller'>,
  given: () => readonly GivenTexts[],
): Promise<Problem[][]> {
  if (!context.caller.limited) return []
  const named = given().map(({ path, texts, stored = {} }) =>
    Object.entries(texts).flatMap(([name, text]) =>
      [...filesAdded({ [name]: text }, stored)].map((file_id) => ({ path: path + name, file_id })),
    ),
  )
  const wanted = new Set(named.flat().map(({ file_id }) => file_id))
  if (!wanted.size) return []
  const known = await usableFiles(context, wanted)
  return named.map((each) =>
    each.flatMap(({ path, file_id }) =>
      known.has(file_id) ? [] : { path, message: `file '${file_id}' not found` },
    ),
  )
}

/** @throws BadRequest for what `faultsOfNamedFiles` finds */
export async function checkNamedFiles(
  context: Pick<SqlContext, 'db' | 'caller'>,
  given: () => readonly GivenTexts[],
): Promise<void> {
  const problems = (await faultsOfNamedFiles(context, given)).flat()
  if (problems.length) throw invalid(problems)
}
