import { type Insertable, type Selectable, sql as rawSql } from 'kysely'
import { notFound } from '#src/domain/errors.ts'
import { lastUlidAt, parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { releaseProposedFiles } from '#src/storage/proposals/proposal-files.ts'
import type { ProposalTable } from '#src/sql/tables.ts'

export type ProposalRow = Selectable<ProposalTable>
export type ProposalState = ProposalRow['state']
export type NewProposal = Omit<
  Insertable<ProposalTable>,
  'id' | 'decided_by' | 'decided_at' | 'reason' | 'version' | 'state' | 'change_ids' | 'made'
>

const insertRow = query((p: NewProposal, sql) =>
  sql
    .insertInto('proposal')
    .values({
      proposal_id: p.proposal_id,
      state: 'open',
      summary: p.summary,
      message: p.message,
      user_id: p.user_id,
      source: p.source,
      client: p.client,
      client_id: p.client_id,
      counts: p.counts,
      changed_count: p.changed_count,
      after_event: p.after_event,
      made: '{}',
      created_at: p.created_at,
      touched_at: p.touched_at,
      version: 1,
      change_ids: '[]',
    })
    .returning('id'),
)
const rowById = query((p: { proposal_id: Ulid }, sql) =>
  sql.selectFrom('proposal').selectAll().where('proposal_id', '=', p.proposal_id),
)
const updateRow = query((p: ProposalDecision & { id: number }, sql) =>
  sql
    .updateTable('proposal')
    .set({
      state: p.state,
      made: p.made,
      change_ids: p.change_ids,
      touched_at: p.touched_at,
      version: rawSql<number>`version + 1`,
      decided_by: p.decided_by,
      decided_at: p.decided_at,
      reason: p.reason,
    })
    .where('id', '=', p.id),
)
const countOpen = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('proposal')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', p.user_id)
    .where('state', '=', 'open'),
)
const untouched = query((p: { before: string; limit: number }, sql) =>
  sql
    .selectFrom('proposal')
    .selectAll()
    .where('state', '=', 'open')
    .where('touched_at', '<', p.before)
    .limit(p.limit),
)

export type ProposalDecision = Pick<
  ProposalRow,
  'state' | 'made' | 'change_ids' | 'touched_at' | 'decided_by' | 'decided_at' | 'reason'
>

/** Its row id. */
export async function insertProposal(db: Db, proposal: NewProposal): Promise<number> {
  return (await db.get(insertRow, proposal))!.id
}

/** @throws NotFound */
export async function proposalOf(db: Db, given: string): Promise<ProposalRow> {
  const proposal_id = parseUlid(given)
  const found = proposal_id && (await db.get(rowById, { proposal_id }))
  if (!found) throw proposalNotFound(given)
  return found
}

export const proposalNotFound = (given: string) =>
  notFound('proposal', given, { suggestion: 'List them with GET /api/proposals (list_proposals)' })

/** What is decided keeps no files any more. */
export async function updateProposal(
  db: Db,
  { id, proposal_id }: Pick<ProposalRow, 'id' | 'proposal_id'>,
  decision: ProposalDecision,
): Promise<void> {
  await db.enqueue(updateRow, { id, ...decision })
  if (decision.state !== 'open') await releaseProposedFiles(db, proposal_id, new Date(decision.touched_at))
}

export const countOpenProposals = async (db: Db, user_id: Ulid): Promise<number> =>
  (await db.get(countOpen, { user_id }))?.n ?? 0

/** Open ones that nobody has touched since. */
export const untouchedProposals = (db: Db, before: string, limit: number): Promise<ProposalRow[]> =>
  db.all(untouched, { before, limit })

/** Of whom, and in which state; what is not given is any. */
export interface WantedProposals {
  state?: ProposalState | undefined
  user_id?: Ulid | undefined
  client_id?: string | undefined
}

/** Newest first. */
export function proposalsBefore(
  db: Db,
  { state, user_id, client_id }: WantedProposals,
  before: Ulid = lastUlidAt(2 ** 48 - 1),
  limit: number,
): Promise<ProposalRow[]> {
  let rows = db.dialect.builder.selectFrom('proposal').selectAll().where('proposal_id', '<', before)
  if (state !== undefined) rows = rows.where('state', '=', state)
  if (user_id !== undefined) rows = rows.where('user_id', '=', user_id)
  if (client_id !== undefined) rows = rows.where('client_id', '=', client_id)
  return db.select<ProposalRow>(rows.orderBy('proposal_id', 'desc').limit(limit))
}
