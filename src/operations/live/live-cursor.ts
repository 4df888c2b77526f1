import { parseUlid, type Ulid, ulidTime } from '#src/domain/ulid.ts'

/**
 * How far somebody is who follows a filter: an event, and the moment by which relative times went, in milliseconds; of a
 * view also which change of its filter they have seen.
 */
export interface LiveCursor {
  event: Ulid
  moment: number
  version?: number | undefined
}

/** Milliseconds between two looks at what the time does. */
const MOMENT = 10_000

export const momentAt = (time: number): number => time - (time % MOMENT)

/** Where one is who has seen an event and nothing after it. */
export const cursorAt = (event: Ulid): LiveCursor => ({ event, moment: momentAt(ulidTime(event)) })

const SEPARATOR = '-'
const COUNT = /^[\da-z]{1,9}$/

/** The id of what the time did, or another filter of a view, rather than an event. */
export const momentId = ({ event, moment, version }: LiveCursor): string =>
  [event, moment.toString(36), ...(version === undefined ? [] : [version.toString(36)])].join(SEPARATOR)

/** Of an event or a moment; null where the text is neither. */
export function parseCursor(text: string): LiveCursor | null {
  const [id = '', ...counts] = text.split(SEPARATOR)
  const event = parseUlid(id)
  if (event === null || counts.length > 2 || !counts.every((each) => COUNT.test(each))) return null
  const [moment, version] = counts.map((each) => Number.parseInt(each, 36))
  return moment === undefined ? cursorAt(event) : { event, moment, version }
}
