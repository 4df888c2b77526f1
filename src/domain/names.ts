import type { Problem } from '#src/domain/errors.ts'

/** Characters of the name of an item, an account, a view or a key. */
export const MAX_NAME = 1000

/** What turns, hides or breaks what stands around it: control characters, those of direction (Unicode UAX #9), and blanks that are drawn as nothing. */
const CONTROLS =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/gu
/** With what may stand between letters, but is nothing by itself: joiners, selectors of a variant, unpaired halves. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const ALL_UNSEEN = new RegExp(`^${UNSEEN.source}*$`, 'u')

/** A name that somebody else gave, where a person decides by it: nothing in it changes what stands around it. */
export const plainName = (name: string): string => name.replaceAll(CONTROLS, '')

/** Whether a part of it is not seen, or is a blank: no address that a person judges has any. */
export const hidesSomething = (address: string): boolean => UNSEEN.test(address)

/** Whether there is nothing to be seen in it at all. */
export const isBlank = (name: string): boolean => ALL_UNSEEN.test(name)

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
