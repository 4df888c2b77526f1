import { nearest } from '#src/domain/nearest.ts'

/** More names than these help nobody. */
const MAX_LISTED = 20
/** With a hundred faults, each compared to every name, more would take seconds. */
const MAX_COMPARED = 1000

/** The way out where no tag has a name that is close to what was asked for; in filters' faults tools answer it as it is. */
export const KNOWN_TAGS = 'List the tags to see their names and ids: capitals count'

/** What a message says after the name of something that is not there. */
export function didYouMean(name: string, names: readonly string[]): string {
  const close = closest(name, names)
  if (close !== undefined) return `did you mean '${close}'?`
  return `expected one of: ${someOf(names)}`
}

export const closest = (name: string, names: readonly string[]): string | undefined =>
  nearest(name, names.slice(0, MAX_COMPARED))

export const someOf = (names: readonly string[]): string =>
  names.slice(0, MAX_LISTED).join(', ') + (names.length > MAX_LISTED ? ', …' : '')

/** A number with what it counts: `1 item`, `12 items`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`
