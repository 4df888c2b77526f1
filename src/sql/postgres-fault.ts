import pg from 'pg'
import { DISK_FAILS, DISK_FULL, type ServiceError, unavailable } from '#src/domain/errors.ts'

/** SQLSTATE classes and codes (PostgreSQL manual, appendix A) that the world outside causes. */
const FAULTS: readonly { code: string; message: string; suggestion: string }[] = [
  {
    code: '57014',
    message: 'The database ended the query because it took too long',
    suggestion: 'Narrow the filter, or set a limit',
  },
  {
    code: '55P03',
    message: 'The database was locked for too long: nothing was changed',
    suggestion: 'Try again',
  },
  {
    code: '53100',
    message: DISK_FULL.postgres,
    suggestion: 'Free space and try again',
  },
  {
    code: '58030',
    message: DISK_FAILS.postgres,
    suggestion: 'Try again, and check the disk and the log of the database',
  },
  {
    code: '40',
    message: 'The change collided with another one: nothing was changed',
    suggestion: 'Try again',
  },
  {
    code: '53',
    message: 'The database has more to do than it can take on',
    suggestion: 'Try again in a moment',
  },
]

const OUT_OF_REACH = unavailableDatabase()

function unavailableDatabase(): ServiceError {
  return unavailable('The database is out of reach', { suggestion: 'Try again in a moment' })
}

const BUSY: ServiceError = unavailable('The database has more to do than it can take on', {
  suggestion: 'Try again in a moment',
})

/** What the database or the way to it does to a call, as an error for the caller; null for any other error. */
export function postgresFault(error: unknown): ServiceError | null {
  if (isConnectionLoss(error)) return OUT_OF_REACH
  if (isPoolBusy(error)) return BUSY
  if (!(error instanceof pg.DatabaseError)) return null
  const fault = FAULTS.find(({ code }) => error.code?.startsWith(code))
  return fault ? unavailable(fault.message, { suggestion: fault.suggestion }) : null
}

/** statement_timeout: query_canceled, which nobody else here does. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014'

/** All connections of a pool were in use for as long as a call may wait for one: the server itself is well. */
export const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && /^timeout exce?e?ded when trying to connect/.test(error.message)

/** The connection, or the way to another one. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return LOSS.test(error.code ?? '') || isRefused(error)
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return (code !== undefined && NETWORK.has(code)) || isUntrusted(error) || LOST.test(error.message)
}

/** 08: connection exception; 57P: the server shuts down or starts; 25006: a standby, which takes no writes. */
const LOSS = /^(08|57P|25006)/
/** The server has no room for one more. */
const FULL = /^53/

/**
 * The server wants no such connection: another password, a database that is closed, options that it does not know.
 * What is wrong with a statement ends that alone; what is wrong with a connection is FATAL.
 */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'FATAL') return false
  return ![LOSS, FULL].some((each) => each.test(error.code ?? ''))
}

/** The certificate of the server is of nobody who is trusted, is of another host, or has expired. */
export const isUntrusted = (error: Error): boolean =>
  /CERT|^UNABLE_TO_/.test(String((error as NodeJS.ErrnoException).code))

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])
/** What pg and its pool say without a code. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout|The server does not)/i
