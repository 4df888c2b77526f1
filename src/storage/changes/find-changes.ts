import { sql, type SqlBool } from 'kysely'
import type { IsoTime } from '#src/domain/iso-time.ts'
import { firstUlidAt, lastUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

/** Everything given must hold. */
export interface ChangeQuery {
  /** Exclusive. */
  after_time?: IsoTime | undefined
  before_time?: IsoTime | undefined
  user_id?: string | undefined
  source?: string | undefined
  client_id?: string | undefined
  operation?: string | undefined
  item_ids?: readonly Ulid[] | undefined
  tag_ids?: readonly Ulid[] | undefined
  /** Only older changes than this one. */
  before?: Ulid | undefined
}

export interface ChangeRow {
  change_id: Ulid
  last_event: Ulid
  operation: string | null
  summary: string | null
  user_id: Ulid | null
  source: string
  client: string | null
  counts: string
  undoes: string | null
  undone_by: Ulid | null
  proposed_by: string | null
  user_name: string | null
}

/** Newest first. */
export async function findChanges(db: Db, wanted: ChangeQuery, limit: number): Promise<ChangeRow[]> {
  if (wanted.item_ids?.length === 0 || wanted.tag_ids?.length === 0) return []
  if (wanted.item_ids || wanted.tag_ids) await requireWholeLog(db)
  const { builder } = db.dialect
  let changes = builder
    .selectFrom('change')
    .leftJoin('account', 'account.user_id', 'change.user_id')
    .select([
      'change.change_id',
      'change.last_event',
      'change.operation',
      'change.summary',
      'change.user_id',
      'change.source',
      'change.client',
      'change.counts',
      'change.undoes',
      'change.undone_by',
      'change.proposed_by',
      'account.display_name as user_name',
    ])
  for (const column of ['user_id', 'source', 'client_id', 'operation'] as const)
    if (wanted[column] !== undefined) changes = changes.where(`change.${column}`, '=', wanted[column])
  for (const [operator, id] of bounds(wanted)) changes = changes.where('change.change_id', operator, id)
  // An item has few events and a tag many: those of items are gathered, those of tags sought change by change.
  if (wanted.item_ids)
    changes = changes.where(
      'change.change_id',
      'in',
      builder
        .selectFrom('audit_event')
        .select(sql<string>`coalesce(change_id, event_id)`.as('change_id'))
        .where('item_id', 'in', db.dialect.texts(JSON.stringify(wanted.item_ids))),
    )
  if (wanted.tag_ids)
    changes = changes.where(
      sql<SqlBool>`exists (select 1 from audit_event e where e.tag_id in ${db.dialect.texts(JSON.stringify(wanted.tag_ids))} and e.event_id >= change.change_id and e.event_id <= change.last_event)`,
    )
  return db.select<ChangeRow>(changes.orderBy('change.change_id', 'desc').limit(limit))
}

const operations = query((_: object, sql) =>
  sql.selectFrom('change').select('operation').distinct().orderBy('operation'),
)

/** By which operations there are changes. */
export const operationsOfChanges = async (db: Db): Promise<string[]> =>
  (await db.all(operations, {})).flatMap(({ operation }) => operation ?? [])

function bounds({ after_time, before_time, before }: ChangeQuery) {
  const all: ['<' | '>', Ulid | undefined][] = [
    ['>', after_time && lastUlidAt(Math.max(after_time.floor, 0))],
    ['<', before_time && firstUlidAt(Math.max(before_time.ceil, 0))],
    ['<', before],
  ]
  return all.flatMap(([operator, id]) => (id === undefined ? [] : [[operator, id] as const]))
}
