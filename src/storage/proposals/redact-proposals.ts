import { sql as rawSql, type SqlBool } from 'kysely'
import { proposedSummary } from '#src/domain/change-summary.ts'
import { emptyFacts } from '#src/domain/change-facts.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { dropAnswersNaming } from '#src/storage/idempotency/stored-answers.ts'
import { releaseProposedFiles, removeUnproposedFiles } from '#src/storage/proposals/proposal-files.ts'
import { countOpenParts } from '#src/storage/proposals/proposal-parts.ts'

const ofItem = query((p: { item_id: Ulid }, sql) =>
  sql
    .selectFrom('proposal')
    .select(['id', 'proposal_id', 'state', 'counts', 'made'])
    .where((e) =>
      e.or([
        rawSql<SqlBool>`made like '%' || cast(${p.item_id} as text) || '%'`,
        e('id', 'in', e.selectFrom('proposal_part').select('proposal').where('item_id', '=', p.item_id)),
      ]),
    ),
)
const namesItem = query((p: { item_id: Ulid }, sql) =>
  sql.selectFrom('proposal_part').select('position').where('item_id', '=', p.item_id).limit(1),
)
/** Whether a proposal would do something to an item, or make one under this placeholder. */
export const isProposed = async (db: Db, item_id: Ulid): Promise<boolean> =>
  (await db.get(namesItem, { item_id })) !== undefined

const keptParts = query((p: { proposal: number; item_id: Ulid }, sql) =>
  sql
    .selectFrom('proposal_part')
    .select('position')
    .where('proposal', '=', p.proposal)
    .where('item_id', '=', p.item_id)
    .where('kept', '<>', '')
    .limit(1),
)
const emptyParts = query((p: { proposal: number; item_id: Ulid }, sql) =>
  sql
    .updateTable('proposal_part')
    .set({ kept: '', accepted: 1 })
    .where('proposal', '=', p.proposal)
    .where('item_id', '=', p.item_id),
)
const forgetSummary = query((p: { id: number; summary: string }, sql) =>
  sql
    .updateTable('proposal')
    .set({ summary: p.summary, version: rawSql<number>`version + 1` })
    .where('id', '=', p.id),
)

const endEmpty = query((p: { id: number; now: string }, sql) =>
  sql
    .updateTable('proposal')
    .set({
      state: rawSql<
        'withdrawn' | 'accepted'
      >`case when change_ids = '[]' then 'withdrawn' else 'accepted' end`,
      reason: 'All that was left of it has been redacted',
      decided_at: p.now,
    })
    .where('id', '=', p.id)
    .where('state', '=', 'open')
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('proposal_part')
            .select('position')
            .where('proposal', '=', p.id)
            .where('accepted', '=', 0),
        ),
      ),
    ),
)

/**
 * Empties what proposals keep of an item, also of one that they made, and removes files that only this mentioned. A
 * summary may name it: numbers do without. One of which nothing is left is open no more. Answers those that kept some.
 */
export async function redactProposals(db: Db, item_id: Ulid, now: Date): Promise<Ulid[]> {
  const emptied: Ulid[] = []
  for (const { id, proposal_id, state, counts, made } of await db.all(ofItem, { item_id })) {
    const known = Object.entries(JSON.parse(made) as Record<string, string>)
    const placeholder = known.find(([, each]) => each === item_id)?.[0] ?? item_id
    if (!(await db.get(keptParts, { proposal: id, item_id: placeholder }))) continue
    emptied.push(proposal_id)
    // They say what it was to become, under a placeholder where that was to make it.
    await dropAnswersNaming(db, proposal_id)
    await db.enqueue(emptyParts, { proposal: id, item_id: placeholder })
    const summary = proposedSummary({ ...emptyFacts(), counts: JSON.parse(counts) as Record<string, number> })
    await db.enqueue(forgetSummary, { id, summary })
    await db.enqueue(endEmpty, { id, now: now.toISOString() })
    if (state !== 'open') continue
    await removeUnproposedFiles(db, { id, proposal_id }, now)
    if (!(await countOpenParts(db, id))) await releaseProposedFiles(db, proposal_id, now)
  }
  return emptied
}
