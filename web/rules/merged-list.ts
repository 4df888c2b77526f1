import { sameJson } from '#src/domain/same-json.ts'

/** One list in its three states. */
interface Versions {
  /** As it was when it was opened. */
  opened: unknown
  /** As it was made of that. */
  mine: unknown
  /** As others have made it meanwhile. */
  stored: unknown
}

/**
 * What was added to a list and taken from it, done to what others have made of it meanwhile. Undefined where one of the
 * three is no list: nothing is one without elements.
 */
export function mergedList({ opened, mine, stored }: Versions): readonly unknown[] | null | undefined {
  const lists = [opened, mine, stored].map(listOf)
  const [before, own, others] = lists
  if (!before || !own || !others) return undefined
  const kept = [...own.values()].flatMap((element) => {
    const was = before.get(keyOf(element))
    if (was === undefined || !sameJson(was, element)) return [element]
    const theirs = others.get(keyOf(element))
    return theirs === undefined ? [] : [theirs]
  })
  const added = [...others].flatMap(([key, element]) => (before.has(key) || own.has(key) ? [] : [element]))
  const all = [...kept, ...added]
  return all.length ? all : null
}

const listOf = (value: unknown): Map<string, unknown> | undefined =>
  value === null || value === undefined
    ? new Map()
    : Array.isArray(value)
      ? new Map(value.map((element: unknown) => [keyOf(element), element]))
      : undefined

/** Files may get another name and are the same. */
const keyOf = (element: unknown): string =>
  typeof element === 'object' && element !== null && 'file_id' in element
    ? String(element.file_id)
    : JSON.stringify(element)
