import { nearest } from '#src/domain/nearest.ts'

/** Names of what takes something away. */
const TAKES_AWAY = /delete|purge|remove|undo/i
/** Of the length of a name: how much of it is another for a slip, and not another word. */
const SLIP = 0.15

/**
 * The tool or operation that was probably meant. A name that is more than a slip away from that of a deletion asks for
 * something else: `update_tag` is four letters from `delete_tag`, and a model does what it is told.
 */
export function nearestAction(name: string, names: readonly string[]): string | undefined {
  const kind = names.filter((each) => TAKES_AWAY.test(each) === TAKES_AWAY.test(name))
  return nearest(name, names, SLIP) ?? nearest(name, kind)
}

/** The name that an operation has over REST, of one that is written as those of tools: `update_tag` is `updateTag`. */
export const inCamelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The other way round. */
export const inSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
