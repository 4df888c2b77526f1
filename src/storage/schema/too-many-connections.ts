import { type Kysely, sql } from 'kysely'
import type { Tables } from '#src/sql/tables.ts'

/** What an operator should read where a process may open more connections than the server allows, in sentences. */
export async function tooManyConnections(db: Kysely<Tables>, wanted: number): Promise<string[]> {
  const { rows } = await sql<{ allowed: number }>`select current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int as allowed`.execute(db)
  const { allowed } = rows[0]!
  if (wanted <= allowed) return []
  return [
    `This process may open ${wanted} connections to PostgreSQL (READ_CONNECTIONS + LOOKUP_CONNECTIONS + 4), and the server allows ${allowed}: when there is much to do, requests will be answered with 503. Lower READ_CONNECTIONS, or raise max_connections of the server; a pooler between them helps as well`,
  ]
}
