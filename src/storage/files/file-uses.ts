import { type Kysely, sql as rawSql, type SqlBool } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'

const insertUses = query((p: { file_ids: string; item_id: Ulid; user_id: Ulid | null }, sql, { texts }) =>
  sql
    .insertInto('file_use')
    .columns(['file', 'item_id'])
    .expression(
      sql
        .selectFrom('file')
        .select(['id', rawSql<string>`cast(${p.item_id} as text)`.as('item_id')])
        .where('file_id', 'in', texts(p.file_ids))
        .where('removed_at', 'is', null)
        .where((e) => e.or([e('shared', '=', 1), e('user_id', '=', p.user_id)])),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const markUsed = query((p: { file_ids: string; user_id: Ulid | null }, sql, { texts }) =>
  sql
    .updateTable('file')
    .set({ shared: 1, unused_since: null })
    .where('file_id', 'in', texts(p.file_ids))
    .where('removed_at', 'is', null)
    .where((e) => e.or([e('shared', '=', 1), e('user_id', '=', p.user_id)])),
)

/**
 * An item has these files, or has had them. A file that nothing has referred to yet counts only where it is the
 * caller's own: whoever learns of its id does not come to read it by writing it down.
 */
export async function addFileUses(
  db: Db,
  user_id: Ulid | null,
  item_id: Ulid,
  file_ids: ReadonlySet<Ulid>,
): Promise<void> {
  const ids = JSON.stringify([...file_ids])
  await db.enqueue(insertUses, { file_ids: ids, item_id, user_id })
  await db.enqueue(markUsed, { file_ids: ids, user_id })
}

/** What keeps a row of `file` besides items. */
export const holdsOfFile = (sql: Kysely<Tables>) =>
  sql
    .selectFrom('file_hold')
    .select('file_hold.file')
    .where(rawSql<SqlBool>`file_hold.file = file.id`)

interface Dropped {
  item_ids: string
  /** Ids of files that the items keep. */
  kept: string
}

const removeUnshared = query((p: Dropped & { now: string }, sql, { texts }) => {
  const ofItems = sql.selectFrom('file_use').select('file_use.file').where('item_id', 'in', texts(p.item_ids))
  return sql
    .updateTable('file')
    .set({ removed_at: rawSql<string>`coalesce(removed_at, ${p.now})`, name: '', unused_since: null })
    .where('id', 'in', ofItems)
    .where('file_id', 'not in', texts(p.kept))
    .where((e) =>
      e.not(
        e.exists(
          sql
            .selectFrom('file_use as other')
            .select('other.file')
            .where(rawSql<SqlBool>`other.file = file.id`)
            .where('other.item_id', 'not in', texts(p.item_ids)),
        ),
      ),
    )
    .where((e) => e.not(e.exists(holdsOfFile(sql))))
})
const deleteUses = query((p: Dropped, sql, { texts }) =>
  sql
    .deleteFrom('file_use')
    .where('item_id', 'in', texts(p.item_ids))
    .where('file', 'not in', sql.selectFrom('file').select('id').where('file_id', 'in', texts(p.kept))),
)

/**
 * Items are purged, or the log says nothing any more of what they had: files that no other item has or had, and that
 * nothing else keeps, are removed (410) with their names, but for those of `kept`. Statements alone: a large purge
 * records them.
 */
export async function dropFileUses(
  db: Db,
  item_ids: readonly Ulid[],
  now: Date,
  kept: Iterable<Ulid> = [],
): Promise<void> {
  const dropped = { item_ids: JSON.stringify(item_ids), kept: JSON.stringify([...kept]) }
  await db.enqueue(removeUnshared, { ...dropped, now: now.toISOString() })
  await db.enqueue(deleteUses, dropped)
}

const insertHolds = query((p: { file_ids: string; holder: string; shared: number }, sql, { texts }) =>
  sql
    .insertInto('file_hold')
    .columns(['file', 'holder', 'shared'])
    .expression(
      sql
        .selectFrom('file')
        .select([
          'id',
          rawSql<string>`cast(${p.holder} as text)`.as('holder'),
          rawSql<number>`cast(${p.shared} as integer)`.as('shared'),
        ])
        .where('file_id', 'in', texts(p.file_ids))
        .where('removed_at', 'is', null),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const markHeld = query((p: { file_ids: string; shared: number }, sql, { texts }) =>
  sql
    .updateTable('file')
    .set({
      unused_since: null,
      shared: rawSql<number>`case when cast(${p.shared} as integer) = 1 then 1 else shared end`,
    })
    .where('file_id', 'in', texts(p.file_ids))
    .where('removed_at', 'is', null),
)
const releaseAll = query((p: { now: string }, sql) =>
  sql
    .updateTable('file')
    .set({ shared: 0, unused_since: p.now })
    .where('removed_at', 'is', null)
    .where('unused_since', 'is', null)
    .where((e) =>
      e.not(
        e.exists(
          sql
            .selectFrom('file_use')
            .select('file_use.file')
            .where(rawSql<SqlBool>`file_use.file = file.id`),
        ),
      ),
    )
    .where((e) => e.not(e.exists(holdsOfFile(sql)))),
)

/** Imports do not come along with an export: what they kept is swept like any file that nothing refers to. */
export async function releaseUnheld(db: Db, now: Date): Promise<void> {
  await db.enqueue(releaseAll, { now: now.toISOString() })
}

const heldBy = query((p: { holder: string; kept: string }, sql, { texts }) =>
  sql
    .selectFrom('file_hold')
    .innerJoin('file', 'file.id', 'file_hold.file')
    .select('file_hold.file')
    .where('holder', '=', p.holder)
    .where('file_id', 'not in', texts(p.kept)),
)
const deleteHolds = query((p: { holder: string; files: string }, sql, { integers }) =>
  sql.deleteFrom('file_hold').where('holder', '=', p.holder).where('file', 'in', integers(p.files)),
)
const left = query((p: { files: string }, sql, { integers }) =>
  sql
    .selectFrom('file')
    .select((e) => [
      'id',
      e
        .selectFrom('file_use')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('file_use.file', '=', 'file.id')
        .as('uses'),
      e
        .selectFrom('file_hold')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('file_hold.file', '=', 'file.id')
        .as('holds'),
      e
        .selectFrom('file_hold')
        .select(({ fn }) => fn.sum<number>('file_hold.shared').as('count'))
        .whereRef('file_hold.file', '=', 'file.id')
        .as('shown'),
    ])
    .where('id', 'in', integers(p.files)),
)
const markUnused = query((p: { files: string; now: string }, sql, { integers }) =>
  sql
    .updateTable('file')
    .set({ shared: 0, unused_since: p.now })
    .where('id', 'in', integers(p.files))
    .where('removed_at', 'is', null),
)
const removeUnheld = query((p: { files: string; now: string }, sql, { integers }) =>
  sql
    .updateTable('file')
    .set({ removed_at: p.now, name: '', unused_since: null })
    .where('id', 'in', integers(p.files))
    .where('removed_at', 'is', null),
)
const markOwn = query((p: { files: string }, sql, { integers }) =>
  sql.updateTable('file').set({ shared: 0 }).where('id', 'in', integers(p.files)),
)

/**
 * Something keeps files besides items: an import (its account's own), a proposal (which everybody reads: `shared`).
 * It has looked whether its caller may see them.
 */
export async function holdFiles(
  db: Db,
  file_ids: Iterable<Ulid>,
  holder: string,
  { shared }: { shared: boolean },
): Promise<void> {
  const ids = JSON.stringify([...file_ids])
  await db.enqueue(insertHolds, { file_ids: ids, holder, shared: Number(shared) })
  await db.enqueue(markHeld, { file_ids: ids, shared: Number(shared) })
}

export interface Release {
  /** Files that it keeps on. */
  kept?: Iterable<Ulid>
  /** Those that nothing else refers to are removed at once (410), not swept a day later. */
  removed?: boolean
}

/** It keeps them no longer: those that nothing else refers to are swept a day later. */
export async function releaseFiles(
  db: Db,
  holder: string,
  now: Date,
  { kept = [], removed = false }: Release = {},
): Promise<void> {
  const held = await db.all(heldBy, { holder, kept: JSON.stringify([...kept]) })
  if (!held.length) return
  const files = JSON.stringify(held.map(({ file }) => file))
  await db.enqueue(deleteHolds, { holder, files })
  const rows = await db.all(left, { files })
  const idsWhere = (test: (row: (typeof rows)[number]) => boolean) =>
    JSON.stringify(rows.filter(test).map(({ id }) => id))
  await db.enqueue(removed ? removeUnheld : markUnused, {
    files: idsWhere(({ uses, holds }) => !Number(uses) && !Number(holds)),
    now: now.toISOString(),
  })
  await db.enqueue(markOwn, {
    files: idsWhere(({ uses, holds, shown }) => !Number(uses) && !!Number(holds) && !Number(shown)),
  })
}
