import type { Problem } from '#src/domain/errors.ts'

/** Characters of the name of an item, an account, a view or a key. */
export const MAX_NAME = 1000

/** What turns, hides or breaks what stands around it: control characters and those of direction (Unicode UAX #9). */
const CONTROLS = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

/** A name that somebody else gave, where a person decides by it: nothing in it changes what stands around it. */
export const plainName = (name: string): string => name.replaceAll(CONTROLS, '')

/** Characters. */
export const MAX_TAG_NAME = 200
/** Embeddings, overrides and isolates (UAX 9 §2): they show a name, and what is behind it, as another one. */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/

/** Every fault of a tag's name (decisions §4). A dot is none: a filter key splits at its last dot. */
export function checkTagName(name: string, path = 'name'): Problem[] {
  const faults: string[] = []
  if (name === '') faults.push('must not be empty')
  if (Array.from(name).length > MAX_TAG_NAME) faults.push(`must have at most ${MAX_TAG_NAME} characters`)
  if (name !== name.trim()) faults.push('must not begin or end with a blank')
  if (name.includes('->')) faults.push(`must not contain '->', which leads through references in filters`)
  if (/\p{Cc}/u.test(name)) faults.push('must not contain control characters')
  if (BIDI_CONTROL.test(name)) faults.push('must not contain control characters of writing direction')
  return faults.map((message) => ({ path, message }))
}
