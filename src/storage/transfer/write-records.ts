import { sql } from 'kysely'
import type { FieldValues } from '#src/domain/field-values.ts'
import { fold } from '#src/domain/fold.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import {
  type ChainedEvent,
  continueChain,
  detailsHash,
  eventHash,
  newSalt,
} from '#src/storage/log/audit-chain.ts'
import { sealedAfter, setSealedAfter } from '#src/storage/log/seal-begin.ts'
import { beginsSeal } from '#src/storage/log/sealed-state.ts'
import type { Tables } from '#src/sql/tables.ts'
import { indexApplied } from '#src/storage/value-index/field-values.ts'
import { fieldRows, type FieldRows } from '#src/storage/value-index/fields.ts'
import { insertTexts, textRow } from '#src/storage/items/items.ts'
import type { Row } from '#src/storage/transfer/read-records.ts'
import { RECORD_KINDS, type RecordKind, type RecordName } from '#src/storage/transfer/record-kinds.ts'

type Write = (db: Db, rows: readonly Row[]) => Promise<void>

/** Inserts rows as they are; columns that the kind does not have are computed from the others. */
function plainWriter(
  name: keyof Tables,
  columns: readonly string[],
  computed: Readonly<Record<string, (row: Row) => string | null>> = {},
): Write {
  const makers = Object.entries(computed)
  const insert = rowInserter(name, () => [...columns, ...makers.map(([column]) => column)])
  return (db, rows) =>
    insert(
      db,
      rows.map((row) => [...columns.map((column) => row[column]), ...makers.map(([, make]) => make(row))]),
    )
}

const columnsOf = (name: RecordName) => Object.keys(RECORD_KINDS.find((kind) => kind.name === name)!.columns)

const writeTags = plainWriter('tag', columnsOf('tag'), {
  folded_name: ({ name }) => fold(name as string),
  folded_description: ({ description }) => (description === null ? null : fold(description as string)),
})

const insertItems = plainWriter('item', columnsOf('item'))
type ItemTexts = Parameters<typeof textRow>[0]
const writeItems: Write = async (db, rows) => {
  await insertItems(db, rows)
  const live = rows.filter(({ deleted_at }) => deleted_at === null)
  await insertTexts(db, (live as unknown as ItemTexts[]).map(textRow))
}

const insertItemTags = plainWriter('item_tag', columnsOf('item_tag'))
const liveAmong = query((p: { items: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select('id')
    .where('id', 'in', dialect.integers(p.items))
    .where('deleted_at', 'is', null),
)
const writeItemTags: Write = async (db, rows) => {
  await insertItemTags(db, rows)
  const applied = rows as unknown as { item: number; tag: number; field_values: string }[]
  const items = JSON.stringify([...new Set(applied.map(({ item }) => item))])
  const live = new Set((await db.all(liveAmong, { items })).map(({ id }) => id))
  const tags = new Map<number, FieldRows>()
  for (const { tag } of applied) if (!tags.has(tag)) tags.set(tag, await fieldRows(db, tag))
  await indexApplied(
    db,
    applied
      .filter(({ item }) => live.has(item))
      .map(({ item, tag, field_values }) => ({
        item,
        tag: { id: tag, rows: tags.get(tag)! },
        values: JSON.parse(field_values) as FieldValues,
      })),
  )
}

const owners = query((p: { user_ids: string; emails: string }, db, dialect) =>
  db
    .selectFrom('account')
    .select(['user_id', 'email_key'])
    .where((e) =>
      e.or([
        e('user_id', 'in', dialect.texts(p.user_ids)),
        e.and([e('email_key', 'in', dialect.texts(p.emails)), e('email_proven_at', 'is not', null)]),
      ]),
    ),
)
const insertWaiting = plainWriter('waiting_view', columnsOf('view'))
const insertViews = plainWriter(
  'view',
  columnsOf('view').filter((column) => column !== 'owner_email'),
)
/**
 * A view goes to its owner's account, else to the one that has proved their address; without either it waits. Anybody
 * may have registered an address that they never proved.
 */
const writeViews: Write = async (db, rows) => {
  const accounts = await db.all(owners, {
    user_ids: JSON.stringify(rows.map(({ user_id }) => user_id)),
    emails: JSON.stringify(rows.map(({ owner_email }) => owner_email)),
  })
  const ids = new Set<unknown>(accounts.map(({ user_id }) => user_id))
  const byEmail = new Map<unknown, string>(accounts.map(({ user_id, email_key }) => [email_key, user_id]))
  const placed = rows.map((row) => ({
    row,
    owner: ids.has(row.user_id) ? row.user_id : byEmail.get(row.owner_email),
  }))
  await insertViews(
    db,
    placed.flatMap(({ row, owner }) => (owner ? [{ ...row, user_id: owner as string }] : [])),
  )
  await insertWaiting(
    db,
    placed.flatMap(({ row, owner }) => (owner ? [] : [row])),
  )
}

const insertWebhooks = plainWriter('webhook', columnsOf('webhook'))
/** A copy of a base must not send what the base itself sends: an owner says when it begins. */
const writeWebhooks: Write = (db, rows) =>
  insertWebhooks(
    db,
    rows.map((row) =>
      row.enabled === 1
        ? {
            ...row,
            enabled: 0,
            disabled_at: row.updated_at!,
            disabled_reason: 'It came with an import: enable it where it is to be sent from',
          }
        : row,
    ),
  )

const insertEvents = plainWriter('audit_event', columnsOf('audit_event'))
const oldChanges = query((p: { ids: string }, db, dialect) =>
  db
    .insertInto('change')
    .columns(['change_id', 'last_event', 'user_id', 'source', 'counts'])
    .expression(
      db
        .selectFrom('audit_event')
        .select([
          'event_id as change_id',
          'event_id as last_event',
          'user_id',
          'source',
          sql<string>`'{"' || event_type || '":1}'`.as('counts'),
        ])
        .where('id', 'in', dialect.integers(p.ids)),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
/** An event that is older than changes is one of its own; newer files bring them along. */
const writeEvents: Write = async (db, rows) => {
  await insertEvents(db, await chained(db, rows))
  const old = rows.filter(({ change_id }) => change_id === null).map(({ id }) => id)
  if (old.length) await db.run(oldChanges, { ids: JSON.stringify(old) })
}

/** Events of files that are older than the chain get theirs here. */
async function chained(db: Db, rows: readonly Row[]): Promise<readonly Row[]> {
  let linked: Row[] = []
  let sealed = await sealedAfter(db)
  await continueChain(db, (head) => {
    let previous = head
    linked = rows.map((row) => {
      const whole = row.hash === null ? { ...row, ...link(previous, row) } : row
      const isSealed = sealed !== previous || beginsSeal(whole.state as string | null)
      previous = whole.hash as string
      if (!isSealed) sealed = previous
      return whole
    })
    return previous
  })
  if (sealed !== (await sealedAfter(db))) await setSealedAfter(db, sealed)
  return linked
}

function link(previous: string, row: Row): Row {
  const event = row as unknown as ChainedEvent & { change_id: string | null; details: string }
  const details_salt = newSalt()
  const value: unknown = JSON.parse(event.details)
  const details = JSON.stringify(value)
  const details_hash = detailsHash(value, details_salt)
  const change_id = event.change_id ?? event.event_id
  return {
    details,
    details_salt,
    details_hash,
    hash: eventHash(previous, { ...event, change_id, details_hash }),
  }
}

const SPECIAL: Partial<Record<RecordName, Write>> = {
  tag: writeTags,
  item: writeItems,
  item_tag: writeItemTags,
  view: writeViews,
  webhook: writeWebhooks,
  audit_event: writeEvents,
}
const WRITERS = new Map(
  RECORD_KINDS.map(({ name }) => [name, SPECIAL[name] ?? plainWriter(name, columnsOf(name))]),
)

/** Inserts records of one kind with their row ids, and makes what is derived from them: texts and the value index. */
export async function writeRecords(db: Db, { name }: RecordKind, rows: readonly Row[]): Promise<void> {
  await WRITERS.get(name)!(db, rows)
}

/** Makes the database give out row ids after `last`. */
export async function goOnAfter(db: Db, { name }: RecordKind, last: number): Promise<void> {
  for (const each of db.dialect.rowIds.goOnAfter(name, last))
    await db.select(each.compile(db.dialect.builder))
}
