/** Ids of views and tags in one's own order, as a preference stores them: a text. */
export const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const MOST = 50

export const pinsFrom = (text: string): string[] =>
  [...new Set(text.split(' '))].filter((each) => ID.test(each)).slice(0, MOST)

export const pinsText = (ids: readonly string[]): string => ids.slice(0, MOST).join(' ')

/** A new one comes last. */
export const toggledPin = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]
