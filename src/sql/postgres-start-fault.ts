import pg from 'pg'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import { NO_TABLES } from '#src/sql/no-tables.ts'
import { isConnectionLoss, isRefused, isUntrusted } from '#src/sql/postgres-fault.ts'

interface Place {
  /** Host and port, as DATABASE_URL names them. */
  hosts: string
  user: string
  database: string
}

/** SQLSTATE codes (PostgreSQL manual, appendix A) of what an operator can mend, by their beginnings. */
const FAULTS: readonly {
  code: string
  message: (at: Place, reason: string) => string
  suggestion: string
}[] = [
  {
    code: '28',
    message: ({ hosts, user }, reason) => `PostgreSQL at ${hosts} refuses the user '${user}': ${reason}`,
    suggestion: 'Set the right user and password in DATABASE_URL, or let the user in by pg_hba.conf',
  },
  {
    code: '3D000',
    message: ({ hosts, database }) => `PostgreSQL at ${hosts} has no database '${database}'`,
    suggestion: 'Make it with CREATE DATABASE, or name another one in DATABASE_URL',
  },
  {
    code: '42501',
    message: ({ user, database }, reason) => `The user '${user}' lacks a right in '${database}': ${reason}`,
    suggestion: 'Make the user the owner of the database',
  },
  {
    code: '3F000',
    message: ({ hosts, database }, reason) => `PostgreSQL at ${hosts}, database '${database}': ${reason}`,
    suggestion:
      'Make the schema with CREATE SCHEMA, or change search_path: in the options of DATABASE_URL, or by ALTER ROLE or ALTER DATABASE',
  },
  {
    code: '42P01',
    message: () => NO_TABLES.message,
    suggestion: NO_TABLES.suggestion,
  },
  {
    code: '53300',
    message: ({ hosts }) => `PostgreSQL at ${hosts} has no connection left`,
    suggestion: 'Raise its max_connections, or put a pooler in front of it',
  },
]

/** As pg says it. */
const NO_TLS = 'The server does not support SSL connections'

/** Runs the first work on a database. @throws ServiceUnavailable that tells the operator what to mend */
export async function orStartFault<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw startFault(url, error) ?? error
  }
}

function startFault(url: string, error: unknown): ServiceError | null {
  if (!(error instanceof Error)) return null
  const [, user = '', hosts = '', database = ''] =
    /^\w+:\/\/(?:([^:@/]*)(?::[^/?]*)?@)?([^/?]*)\/?([^?]*)/.exec(url) ?? []
  const { code = '' } = error as { code?: string }
  const fault = error instanceof pg.DatabaseError && FAULTS.find((each) => code.startsWith(each.code))
  if (fault)
    return unavailable(fault.message({ hosts, user, database }, error.message), {
      suggestion: fault.suggestion,
    })
  if (error.message === NO_TLS)
    return unavailable(`PostgreSQL at ${hosts} offers no TLS`, {
      suggestion: 'Switch it on there (ssl), or take sslmode out of DATABASE_URL',
    })
  const { path } = error as NodeJS.ErrnoException
  if (path !== undefined)
    return unavailable(`DATABASE_URL names ${path}, which cannot be read: ${code}`, {
      suggestion: 'Put the file there, readable for the user that runs Facet, or take it out of the URL',
    })
  if (isUntrusted(error)) {
    const [reason] = error.message.split(';')
    return unavailable(`The certificate of PostgreSQL at ${hosts} is not trusted: ${reason}`, {
      suggestion:
        'Name the file of the authority that signed it: ?sslmode=verify-full&sslrootcert=/path/ca.pem at the end of DATABASE_URL',
    })
  }
  if (isRefused(error))
    return unavailable(`PostgreSQL at ${hosts} refuses the connection: ${error.message}`, {
      suggestion: 'Change what DATABASE_URL asks for; its options are written as ?options=-c%20name%3Dvalue',
    })
  if (!isConnectionLoss(error)) return null
  return unavailable(`PostgreSQL at ${hosts} cannot be used: ${error.message}`, {
    suggestion: 'Start it, or set DATABASE_URL to one that accepts connections and writes',
  })
}
