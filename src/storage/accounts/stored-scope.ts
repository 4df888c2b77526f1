import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#src/domain/caller.ts'

/** How the tables of keys and apps have a scope: as what may only propose is 'read' to anyone who does not know of it. */
export const storedScope = (scope: Scope): { scope: 'read' | 'write'; proposes: number } => ({
  scope: scope === 'write' ? 'write' : 'read',
  proposes: scope === 'propose' ? 1 : 0,
})

/** The scope of a row. */
export const scopeOf = (table: 'api_key' | 'app'): RawBuilder<Scope> =>
  sql<Scope>`case when ${sql.ref(`${table}.proposes`)} = 1 then 'propose' else ${sql.ref(`${table}.scope`)} end`
