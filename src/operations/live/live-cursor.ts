import { parseUlid, type Ulid, ulidTime } from '#src/domain/ulid.ts'

/** How far somebody is who follows a filter: an event, and the moment by which relative times went, in milliseconds. */
export interface LiveCursor {
  event: Ulid
  moment: number
}

/** Milliseconds between two looks at what the time does. */
const MOMENT = 10_000

export const momentAt = (time: number): number => time - (time % MOMENT)

/** Where one is who has seen an event and nothing after it. */
export const cursorAt = (event: Ulid): LiveCursor => ({ event, moment: momentAt(ulidTime(event)) })

const SEPARATOR = '-'

/** The id of what the time did, rather than an event. */
export const momentId = ({ event, moment }: LiveCursor): string =>
  `${event}${SEPARATOR}${moment.toString(36)}`

/** Of an event or a moment; null where the text is neither. */
export function parseCursor(text: string): LiveCursor | null {
  const [id = '', count, ...rest] = text.split(SEPARATOR)
  const event = parseUlid(id)
  if (event === null || rest.length) return null
  if (count === undefined) return cursorAt(event)
  return /^[\da-z]{1,9}$/.test(count) ? { event, moment: Number.parseInt(count, 36) } : null
}
