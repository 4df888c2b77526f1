import type { Caller, CallerClient } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import { pageOfTexts } from '#src/domain/page-of-texts.ts'
import { type ProposedPart, partAnswer, type StoredPart } from '#src/domain/proposals/proposed-part.ts'
import type { ProposalConflict } from '#src/domain/proposals/plan-conflicts.ts'
import { Reply } from '#src/domain/reply.ts'
import { PURGED_ITEM } from '#src/domain/undo/undo-item-event.ts'
import { conflictAt, planAcceptance } from '#src/operations/proposals/plan-acceptance.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { openParts, type PartRow, partsAfter } from '#src/storage/proposals/proposal-parts.ts'
import {
  proposalNotFound,
  proposalOf,
  type ProposalRow,
  type WantedProposals,
} from '#src/storage/proposals/proposals.ts'
import { sightOf, wholeOf } from '#src/storage/sight/sight.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** Elements of `changes` without a limit; through a tool, and in the chat. */
const PAGE = 1000
const TOOL_PAGE = 20

export interface PageOfChanges {
  limit?: number | undefined
  /** The position after which it goes on. */
  after?: number | undefined
}

/** A proposal as it is shown, with a page of what it would change and what has moved since, where that is not known already. */
export async function proposalReply(
  { db, caller, page_text = MAX_PAGE_TEXT }: Pick<SqlContext, 'db' | 'caller' | 'page_text'>,
  row: ProposalRow,
  { limit = caller.source === 'rest' ? PAGE : TOOL_PAGE, after = -1 }: PageOfChanges = {},
  known?: readonly ProposalConflict[],
): Promise<Reply> {
  const { texts, end } = await pageOfTexts<PartRow>({
    limit,
    max: page_text,
    read: (last, count) =>
      partsAfter(db, row.id, {
        after: last?.position ?? after,
        limit: count,
        all: row.state === 'accepted',
      }),
    textOf: ({ kept }) =>
      kept === '' ? 'null' : JSON.stringify(partAnswer(JSON.parse(kept) as ProposedPart)),
  })
  const changes = texts.filter((text) => text !== 'null')
  const conflicts = known ?? (await conflictsOf(db, caller, row))
  const head = JSON.stringify({ ...proposalAnswer(row), conflicts })
  return new Reply(
    `${head.slice(0, -1)},"changes":[${changes.join()}]}`,
    end && { next: String(end.position) },
  )
}

/** Of one that is still to be decided. */
async function conflictsOf(db: Db, { limited }: Caller, row: ProposalRow): Promise<ProposalConflict[]> {
  if (row.state !== 'open') return []
  const whole = wholeOf(db)
  // Nothing has moved: on the base that it was made on it can be carried out as it was then.
  if (!limited && ((await newestEvent(whole)) ?? '') === row.after_event) return []
  const parts = await openParts(whole, row.id, madeBy(row))
  const { conflicts } = await planAcceptance(whole, row, parts, { seen: db })
  return limited ? conflictsInSight(db, parts, conflicts) : conflicts
}

/**
 * As who sees a part is told: of items in its sight their names and what they have there now, but for tags that it does
 * not know. What has left its sight is as if it had been purged, whatever has become of it: a conflict that comes and
 * goes would tell of its values.
 */
async function conflictsInSight(
  db: Db,
  parts: readonly StoredPart[],
  conflicts: readonly ProposalConflict[],
): Promise<ProposalConflict[]> {
  const ids = parts.flatMap(({ item_id, made_item }) => (made_item ? [] : (item_id ?? [])))
  const targets = await findTargets(db, ids)
  const gone = new Set(ids.filter((item_id) => (targets.get(item_id)?.state ?? 'purged') === 'purged'))
  const tags = sightOf(db)?.tags
  const known = tags && new Set(tags.values())
  const isShown = ({ item_id, tag_id }: ProposalConflict) =>
    item_id !== null && (tag_id === null || known?.has(tag_id) !== false)
  return [
    ...conflicts
      .filter(({ item_id }) => item_id === null || !gone.has(item_id))
      .map((each) => (isShown(each) ? each : { ...each, present: null })),
    ...[...gone].map((item_id) => conflictAt({ item_id, path: null, reason: PURGED_ITEM })),
  ]
}

/** The ids of what it has made so far, by their placeholders. */
export const madeBy = ({ made }: Pick<ProposalRow, 'made'>): ReadonlyMap<string, string> =>
  new Map(Object.entries(JSON.parse(made) as Record<string, string>))

/** By what means it was proposed, as it is kept. */
export interface KeptClient extends CallerClient {
  /** Of an app: its client_id. */
  program?: string
}

export const keptClientOf = ({ client }: Pick<ProposalRow, 'client'>): KeptClient | null =>
  client === null ? null : (JSON.parse(client) as KeptClient)

/** As it is shown. */
export function clientOf(row: Pick<ProposalRow, 'client'>): CallerClient | null {
  const kept = keptClientOf(row)
  if (!kept) return null
  const { program: _, ...client } = kept
  return client
}

/** What a list shows of one, and the answer besides what it would change. */
export const proposalAnswer = (row: ProposalRow) => ({
  proposal_id: row.proposal_id,
  state: row.state,
  summary: row.summary,
  message: row.message,
  created_at: row.created_at,
  user_id: row.user_id,
  source: row.source,
  client: clientOf(row),
  counts: JSON.parse(row.counts) as Record<string, number>,
  changed_count: row.changed_count,
  decided_by: row.decided_by,
  decided_at: row.decided_at,
  reason: row.reason,
  change_ids: JSON.parse(row.change_ids) as string[],
  made: JSON.parse(row.made) as Record<string, string>,
})

/** What would change nothing: it is not kept. */
export const nothingProposed = {
  proposal_id: null,
  state: null,
  summary: 'Changes nothing',
  message: null,
  created_at: null,
  user_id: null,
  source: null,
  client: null,
  counts: {},
  changed_count: 0,
  decided_by: null,
  decided_at: null,
  reason: null,
  change_ids: [],
  made: {},
  conflicts: [],
  changes: [],
}

/** @throws Conflict where somebody has decided it already */
export function checkOpen({ state, proposal_id, decided_at }: ProposalRow): void {
  if (state === 'open') return
  throw conflict(`The proposal '${proposal_id}' was ${state} at ${decided_at}`, {
    suggestion:
      'GET /api/proposals/{proposal_id} says by whom, and why; propose it again where it is still wanted',
    details: { state },
  })
}

/**
 * Which proposals a caller reads: every account all of them; an agent in its tools those that it made itself, by its key
 * or app or, where it comes with a session, by its account. What sees a part of the base reads its own everywhere.
 */
export function ofCaller({ source, user_id, client, limited }: Caller): WantedProposals {
  if ((source === 'rest' && !limited) || user_id === null) return {}
  return client === null || client.kind === 'session' ? { user_id } : { client_id: client.id ?? '' }
}

/** @throws NotFound, also where the caller may not know of it */
export async function readableProposal(db: Db, caller: Caller, given: string): Promise<ProposalRow> {
  const row = await proposalOf(db, given)
  const { client_id, user_id } = ofCaller(caller)
  if (client_id !== undefined && row.client_id !== client_id) throw proposalNotFound(given)
  if (user_id !== undefined && row.user_id !== user_id) throw proposalNotFound(given)
  return row
}
