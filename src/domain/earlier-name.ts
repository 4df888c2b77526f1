/** Is no character (a "noncharacter" of Unicode), so that no field and no variant may have it in its name. */
export const NO_CHARACTER = '\u{FDD0}'
/**
 * Behind the name of a field or variant that another one has got since by a rename, in a filter that is kept: so it goes
 * on meaning what it meant. Once for each that has got it since.
 */
const MARK = ` (earlier)${NO_CHARACTER}`

/** A name that a kept filter has, without what says that it is the name of something earlier. */
export const withoutMarks = (text: string): string => text.replaceAll(MARK, '')

/** The same name of whatever had it before. */
export const earlierName = (name: string): string => name + MARK

/**
 * What a kept filter is to say for a name once names have moved. Something that gets a name hides what had it before,
 * until it goes on: what moves takes its mentions along, and theirs alone. So moving back undoes it.
 */
export function movedName(mention: string, moves: ReadonlyMap<string, string>): string {
  const moved = moves.get(mention)
  if (moved !== undefined) return moved
  const name = withoutMarks(mention)
  const freed = moves.has(name) ? mention.slice(0, -MARK.length) : mention
  return isTaken(name, moves) ? earlierName(freed) : freed
}

const taken = new WeakMap<ReadonlyMap<string, string>, ReadonlySet<string>>()

/** Whether something moves to a name. */
function isTaken(name: string, moves: ReadonlyMap<string, string>): boolean {
  let names = taken.get(moves)
  if (!names) taken.set(moves, (names = new Set(moves.values())))
  return names.has(name)
}
