import { ServiceError, unavailable } from '#src/domain/errors.ts'

const TOO_LONG = 'The query was ended after'

/** A read that took as long as one may. */
export const readTookTooLong = (milliseconds: number): ServiceError =>
  unavailable(`${TOO_LONG} ${milliseconds / 1000} s, the longest that it may take`, {
    suggestion: 'Narrow the filter, or ask for less at once',
  })
export const isTooLong = (error: unknown): boolean =>
  error instanceof ServiceError && error.message.startsWith(TOO_LONG)

export const changeTookTooLong = (milliseconds: number): ServiceError =>
  unavailable(
    `The change was ended after ${milliseconds / 1000} s, the longest that it may take: nothing was changed`,
    { suggestion: 'Narrow the filter, and make the change in several calls' },
  )

const ABANDONED = 'Ended because the client left, or its session ended: nothing was changed'

/** A call that nobody waits for any more. */
export const abandoned = (): ServiceError => unavailable(ABANDONED)
export const isAbandoned = (error: unknown): boolean =>
  error instanceof ServiceError && error.message === ABANDONED

const ENDED = 'Ended before it was done'

/** Within the thread that carries it out; the caller that has it ended says why. */
export const ended = (): ServiceError => unavailable(ENDED)
export const isEnded = (error: Error): boolean => error instanceof ServiceError && error.message === ENDED

export const shuttingDown = (): ServiceError =>
  unavailable('The service is shutting down', {
    suggestion: 'Try again shortly',
    details: { retry_after: 1 },
  })
export const overloaded = (): ServiceError =>
  unavailable('The service has more to do than it can take on', { suggestion: 'Try again in a moment' })

/** `details.outcome`: who sends it again under its Idempotency-Key learns what became of it; without one it may be made twice. */
export const outcomeUnknown = (what: string): ServiceError =>
  unavailable(`${what} while it made this change: whether it was made is unknown`, {
    suggestion: 'Read before trying again; one with an Idempotency-Key can be sent again with the same',
    details: { outcome: 'unknown' },
  })

/** What a thread that died was in the middle of. */
export const interrupted = (role: 'writer' | 'reader'): ServiceError =>
  role === 'writer'
    ? outcomeUnknown('The database thread stopped')
    : unavailable('The database thread stopped while it read', { suggestion: 'Try again' })
