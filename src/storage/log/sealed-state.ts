import { hash } from 'node:crypto'
import { newSalt } from '#src/storage/log/audit-chain.ts'

/**
 * What undo and `as_of` go by (`state`) is not shown, so the hash of an event, whose parts additions §6 names, cannot
 * hold it. The salt of the event's details vouches for it instead (decision 47): where there is a state, the salt is
 * made of its text, which has 128 random bits in it; where there is none, the salt is random. Its first bit says which.
 */
export interface Sealed {
  state: string | null
  /** 128 bits, hex. */
  salt: string
}

const HAS_STATE = 8

/** With the state of the first sealed event of a log; from there on all are. */
const BEGINS = '{"sealed":true}'

/** `begins`: the log is sealed from this event on. */
export function sealState(state: string | null, begins: boolean): Sealed {
  const told = begins ? joined(state, BEGINS) : state
  const random = newSalt()
  if (told === null) return { state: null, salt: marked(random, 0) }
  const text = joined(told, `{"seal":"${random}"}`)
  return { state: text, salt: saltOf(text) }
}

/** null: it fits. Of an event that is not redacted, after the log has begun to be sealed. */
export function stateFault({ state, salt }: Sealed, begins: boolean): string | null {
  const isMarked = (parseInt(salt.charAt(0), 16) & HAS_STATE) !== 0
  const fits = state === null ? !isMarked && !begins : salt === saltOf(state)
  if (!fits) return 'what undo keeps beside it is not what was recorded'
  return begins && (JSON.parse(state!) as { sealed?: boolean }).sealed !== true
    ? 'what undo keeps beside the events is not vouched for from here on, as the log says'
    : null
}

export const beginsSeal = (state: string | null): boolean =>
  state !== null &&
  state.includes('"sealed":true') &&
  (JSON.parse(state) as { sealed?: true }).sealed === true

const saltOf = (state: string): string => marked(hash('sha256', state).slice(0, 32), HAS_STATE)

const marked = (salt: string, mark: number): string =>
  ((parseInt(salt.charAt(0), 16) & 7) | mark).toString(16) + salt.slice(1)

/** The text of one object that has the properties of both. */
const joined = (first: string | null, second: string): string =>
  first === null ? second : `${first.slice(0, -1)},${second.slice(1)}`
