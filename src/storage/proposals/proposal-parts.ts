import type { ProposedPart, StoredPart } from '#src/domain/proposals/proposed-part.ts'
import { withIds } from '#src/domain/proposals/needs.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'

/** As it is inserted: its content as JSON text. */
export interface PartRow {
  position: number
  item_id: Ulid | null
  tag_id: Ulid | null
  kept: string
}

const insertRows = rowInserter('proposal_part', [
  'proposal',
  'position',
  'item_id',
  'tag_id',
  'accepted',
  'kept',
])
const rowsAfter = query((p: { proposal: number; accepted: number; after: number; limit: number }, sql) =>
  sql
    .selectFrom('proposal_part')
    .select(['position', 'item_id', 'tag_id', 'kept'])
    .where('proposal', '=', p.proposal)
    .where('accepted', '<=', p.accepted)
    .where('position', '>', p.after)
    .orderBy('position')
    .limit(p.limit),
)
const openRows = query((p: { proposal: number }, sql) =>
  sql
    .selectFrom('proposal_part')
    .select(['position', 'kept'])
    .where('proposal', '=', p.proposal)
    .where('accepted', '=', 0)
    .orderBy('position'),
)
const acceptRows = query((p: { proposal: number; positions: string }, sql, dialect) =>
  sql
    .updateTable('proposal_part')
    .set({ accepted: 1 })
    .where('proposal', '=', p.proposal)
    .where('position', 'in', dialect.integers(p.positions)),
)
const acceptAll = query((p: { proposal: number }, sql) =>
  sql.updateTable('proposal_part').set({ accepted: 1 }).where('proposal', '=', p.proposal),
)
const setKept = query((p: { proposal: number; position: number; kept: string }, sql) =>
  sql
    .updateTable('proposal_part')
    .set({ kept: p.kept })
    .where('proposal', '=', p.proposal)
    .where('position', '=', p.position),
)
const leftOpen = query((p: { proposal: number }, sql) =>
  sql
    .selectFrom('proposal_part')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('proposal', '=', p.proposal)
    .where('accepted', '=', 0),
)

export async function insertParts(db: Db, proposal: number, parts: Iterable<PartRow>): Promise<void> {
  const rows = [...parts].map(({ position, item_id, tag_id, kept }) => [
    proposal,
    position,
    item_id,
    tag_id,
    0,
    kept,
  ])
  await insertRows(db, rows)
}

/** In their order; `all`: those that are accepted too. */
export const partsAfter = (
  db: Db,
  proposal: number,
  { after, limit, all }: { after: number; limit: number; all: boolean },
): Promise<PartRow[]> => db.all(rowsAfter, { proposal, accepted: all ? 1 : 0, after, limit })

/** Those that are still to be decided; `made`: the ids of what was made of it already, by their placeholders. */
export async function openParts(
  db: Db,
  proposal: number,
  made: ReadonlyMap<string, string>,
): Promise<StoredPart[]> {
  const rows = await db.all(openRows, { proposal })
  return rows.map(({ position, kept }) => ({
    ...(JSON.parse(withIds(kept, made)) as ProposedPart),
    position,
  }))
}

export const countOpenParts = async (db: Db, proposal: number): Promise<number> =>
  (await db.get(leftOpen, { proposal }))?.n ?? 0

/** Notes what acceptance did with parts. */
export async function settleParts(
  db: Db,
  proposal: number,
  { accepted, left }: { accepted: readonly number[]; left: readonly StoredPart[] },
): Promise<void> {
  if (!left.length && (await countOpenParts(db, proposal)) === accepted.length)
    await db.run(acceptAll, { proposal })
  else await db.run(acceptRows, { proposal, positions: JSON.stringify(accepted) })
  for (const { position, ...part } of left)
    await db.enqueue(setKept, { proposal, position, kept: JSON.stringify(part) })
}
