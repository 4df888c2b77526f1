import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/sql/query.ts'
import type { GroupKey } from '#src/storage/aggregate/group-key.ts'
import type { ItemRows, KeyRows } from '#src/storage/aggregate/group-sql.ts'
import type { Groups, RawKey } from '#src/storage/aggregate/groups.ts'

/** What is known while one request is worked out. */
export interface Aggregation {
  readonly db: Db
  readonly items: ItemRows
  readonly keys: readonly GroupKey[]
  readonly rows: readonly KeyRows[]
  readonly groups: Groups
}

/** What a statement over groups answers: `k0`, `k1`, … in the order of `group_by`. */
export type KeyedRow = Record<`k${number}`, RawKey>

export const keyNames = (keys: readonly unknown[]) => keys.map((_, i) => `k${i}` as const)

export const keyColumns = (keys: readonly unknown[]): RawBuilder<unknown> =>
  sql.join(keyNames(keys).map((name) => sql.raw(`r.${name}`)))
