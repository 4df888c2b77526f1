import { type Caller, type CallerClient, userOf } from '#src/domain/caller.ts'
import { conflict, forbidden, invalid } from '#src/domain/errors.ts'
import { idOfPart, type StoredPart } from '#src/domain/proposals/proposed-part.ts'
import type { ProposalConflict } from '#src/domain/proposals/plan-conflicts.ts'
import { Reply } from '#src/domain/reply.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import { canonicalId, type Ulid } from '#src/domain/ulid.ts'
import { applyAcceptance, newIds } from '#src/operations/proposals/apply-acceptance.ts'
import { missingFromIndexes } from '#src/operations/changes/recorded-undo.ts'
import { type AcceptancePlan, planAcceptance } from '#src/operations/proposals/plan-acceptance.ts'
import { checkRoom, type DraftHead } from '#src/operations/proposals/draft-proposal.ts'
import {
  checkOpen,
  clientOf,
  type KeptClient,
  keptClientOf,
  madeBy,
  proposalReply,
} from '#src/operations/proposals/proposal-answer.ts'
import { notifyOfDecision, notifyOfProposal } from '#src/operations/notifications/notify-of-proposal.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { idsChangedSince } from '#src/storage/changes/changed-since.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { linesOf } from '#src/storage/large/recorded-work.ts'
import { programOf } from '#src/storage/accounts/apps.ts'
import { countOpenParts, insertParts, openParts, settleParts } from '#src/storage/proposals/proposal-parts.ts'
import { holdProposedFiles } from '#src/storage/proposals/proposal-files.ts'
import {
  insertProposal,
  proposalOf,
  type ProposalRow,
  type ProposalState,
  updateProposal,
} from '#src/storage/proposals/proposals.ts'

interface DraftToStore {
  /** As `draftProposal` answered it. */
  draft: string
  message: string | null
  /** What the answer is: the whole proposal, or what stands for the call that it was made of. */
  brief: boolean
}

/** Keeps a draft as an open proposal. */
export const keepProposal = defineStep<DraftToStore, object>({
  name: 'keepProposal',
  effect: 'write',
  long: true,
  async run(context, { draft, message, brief }) {
    const { db, caller, newId, now } = context
    const user_id = userOf(caller)
    await checkRoom(db, user_id)
    const lines = linesOf(draft)
    const { summary, counts, after_event, parts, sample } = JSON.parse(
      lines.next().value as string,
    ) as DraftHead
    const proposal_id = newId()
    const created_at = now.toISOString()
    const { source, client } = caller
    const id = await insertProposal(db, {
      proposal_id,
      summary,
      message,
      user_id,
      source,
      client: client && JSON.stringify(await keptClient(db, client)),
      client_id: client?.id ?? null,
      counts: JSON.stringify(counts),
      changed_count: parts.length,
      after_event,
      created_at,
      touched_at: created_at,
    })
    const rows = parts.map((part, position) => ({ ...part, position, kept: lines.next().value as string }))
    await insertParts(db, id, rows)
    await holdProposedFiles(
      db,
      proposal_id,
      user_id,
      rows.map(({ kept }) => kept),
    )
    await notifyOfProposal(context, proposal_id)
    if (brief) return Reply.of({ proposal_id, summary, changed_count: parts.length, sample }, { status: 202 })
    const { json, meta } = await proposalReply(context, await proposalOf(db, proposal_id))
    return new Reply(json, { ...meta, status: 201 })
  },
})

/** An app with the program that it is a grant of: that outlasts the app, and does not decide (further §16). */
async function keptClient(db: Db, client: CallerClient): Promise<KeptClient> {
  const program = client.kind === 'app' && client.id ? await programOf(db, client.id) : undefined
  return { ...client, ...(program !== undefined && { program }) }
}

interface AcceptInput {
  proposal_id: string
  item_ids: readonly string[] | undefined
}

interface ReadAcceptance {
  newest: Ulid | null
  /** Of the proposal. */
  version: number
  plan: AcceptancePlan
}

/** What acceptance would change, read without holding the writer. */
export const readAcceptance = defineStep<AcceptInput, object>({
  name: 'readAcceptance',
  effect: 'read',
  long: true,
  async run(context, input) {
    const { db } = context
    const row = await proposalToDecide(context, input.proposal_id)
    const newest = await newestEvent(db)
    const plan = await planFor(db, row, input)
    const missing = await missingFromIndexes(db, plan.work)
    if (missing.length) return rolledBack('out_of_indexes', missing)
    return { newest, version: row.version, plan } satisfies ReadAcceptance
  },
})

interface WriteAcceptance extends AcceptInput {
  on_conflict: 'refuse' | 'skip'
  /** As `readAcceptance` answered it. */
  read: string
  /** What does not hold any more is planned again here, and others wait meanwhile. */
  here: boolean
}

/** Carries out an acceptance that was planned on a reader; overtaken where it does not hold any more. */
export const writeAcceptance = defineStep<WriteAcceptance, object>({
  name: 'writeAcceptance',
  effect: 'write',
  long: true,
  async run(context, { on_conflict, read, here, ...input }) {
    const { db, change } = context
    const row = await proposalToDecide(context, input.proposal_id)
    const known = JSON.parse(read) as ReadAcceptance
    const holds = known.version === row.version && (await stillHolds(db, known))
    if (!holds && !here) return rolledBack('overtaken')
    const plan = holds ? known.plan : await planFor(db, row, input)
    if (plan.conflicts.length && on_conflict === 'refuse') throw refused(plan.conflicts)
    change.operation = 'acceptProposal'
    const { proposal_id, user_id } = row
    change.told = { proposal_id }
    change.proposed_by = { user_id, client: clientOf(row) }
    const ids = newIds(plan, context.newId)
    await applyAcceptance(context, plan, ids)
    await settleParts(db, row.id, plan)
    await noteAccepted(context, row, ids)
    const decided = await proposalOf(db, proposal_id)
    if (!change.drafted || decided.state !== 'open') return proposalReply(context, decided)
    // The log has what was recorded only after this transaction (decision 45): what stays open is held against it then.
    const { json, meta } = await proposalReply(context, decided, {}, plan.conflicts)
    return new Reply(json, { ...meta, before_log: true })
  },
})

/** A proposal as it is after a decision. */
export const showProposal = defineStep<{ proposal_id: string }, object>({
  name: 'showProposal',
  effect: 'read',
  long: true,
  run: async (context, { proposal_id }) => proposalReply(context, await proposalOf(context.db, proposal_id)),
})

async function planFor(db: Db, row: ProposalRow, { item_ids }: AcceptInput): Promise<AcceptancePlan> {
  const parts = await openParts(db, row.id, madeBy(row))
  return planAcceptance(db, row, parts, item_ids && { chosen: positionsOf(parts, item_ids) })
}

/** @throws BadRequest for what is no open part of it */
function positionsOf(parts: readonly StoredPart[], item_ids: readonly string[]): number[] {
  const byId = new Map(parts.map((part) => [idOfPart(part), part.position]))
  const problems = item_ids.flatMap((given, i) =>
    byId.has(canonicalId(given))
      ? []
      : [{ path: `item_ids[${i}]`, message: `'${given}' is nothing that this proposal still would change` }],
  )
  if (problems.length)
    throw invalid(problems, { suggestion: 'Take the item_id of an element of `changes`, placeholders too' })
  return item_ids.map((given) => byId.get(canonicalId(given))!)
}

/** More events than these since then, and it is planned again. */
const MAX_SINCE = 10_000

async function stillHolds(db: Db, { newest, plan: { concerns } }: ReadAcceptance): Promise<boolean> {
  if (newest === (await newestEvent(db))) return true
  if (concerns.tags) return false
  const changed = await idsChangedSince(db, newest, MAX_SINCE)
  return changed !== undefined && !concerns.items.some((item_id) => changed.has(item_id))
}

function refused(conflicts: ProposalConflict[]) {
  const [{ reason, path, item_name }] = conflicts as [ProposalConflict]
  const more = conflicts.length > 1 ? ` (and ${conflicts.length - 1} more, see details.conflicts)` : ''
  const place = [item_name && `'${item_name}'`, path].filter(Boolean).join(', ')
  return conflict(`Not all of it can be accepted: ${place}${place && ': '}${reason}${more}`, {
    suggestion: 'Accept the rest with on_conflict: "skip", or refuse it and have it proposed again',
    details: { conflicts },
  })
}

async function noteAccepted(
  context: SqlContext,
  row: ProposalRow,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const { db, caller, now, change } = context
  const decided_at = now.toISOString()
  const done = (await countOpenParts(db, row.id)) === 0
  const change_ids = JSON.parse(row.change_ids) as string[]
  if (change.lastEvent !== null) change_ids.push(change.id)
  await updateProposal(db, row, {
    ...row,
    state: done ? 'accepted' : 'open',
    made: JSON.stringify({ ...(JSON.parse(row.made) as object), ...Object.fromEntries(ids) }),
    change_ids: JSON.stringify(change_ids),
    touched_at: decided_at,
    ...(done && { decided_by: userOf(caller), decided_at }),
  })
  if (done) await notifyOfDecision(context, row, { change_id: change.lastEvent === null ? null : change.id })
}

/** An open one, for a caller who may decide it. @throws NotFound, Forbidden, Conflict */
async function proposalToDecide({ db, caller }: SqlContext, proposal_id: string): Promise<ProposalRow> {
  const row = await proposalOf(db, proposal_id)
  if (!caller.session && (await isSameClient(db, caller.client, row)))
    throw forbidden(
      'Who proposes something does not decide it: this key or app proposed it itself, or may have',
      { suggestion: 'Let a person decide it, in the application, or withdraw it' },
    )
  checkOpen(row)
  return row
}

/** Also as the same program that was let in again; where nobody knows which it was, any that was let in. */
async function isSameClient(
  db: Db,
  client: Caller['client'],
  row: Pick<ProposalRow, 'client_id' | 'client'>,
): Promise<boolean> {
  if (!client?.id || row.client_id === null) return false
  if (client.id === row.client_id) return true
  const proposed = keptClientOf(row)
  if (client.kind !== 'app' || proposed?.kind !== 'app') return false
  const own = await programOf(db, client.id)
  // Of an older proposal only the app itself says it, as long as it is there.
  const theirs = proposed.program ?? (await programOf(db, row.client_id))
  return own === undefined || theirs === undefined || own === theirs
}

interface DecisionInput {
  proposal_id: string
  state: Extract<ProposalState, 'refused' | 'withdrawn'>
  reason: string | null
}

/** Refuses or withdraws a proposal, or what is left of it. */
export const decideProposal = defineStep<DecisionInput, object>({
  name: 'decideProposal',
  effect: 'write',
  async run(context, { proposal_id, state, reason }) {
    const { db, caller, now } = context
    const row =
      state === 'refused'
        ? await proposalToDecide(context, proposal_id)
        : await proposalToWithdraw(context, proposal_id)
    const decided_at = now.toISOString()
    const decided_by = userOf(caller)
    await updateProposal(db, row, {
      ...row,
      state,
      reason,
      decided_by,
      decided_at,
      touched_at: decided_at,
    })
    await notifyOfDecision(context, row)
    return proposalReply(context, await proposalOf(db, row.proposal_id))
  },
})

/** An open one, for who proposed it: in a session by whatever means, else by the same one. */
async function proposalToWithdraw({ db, caller }: SqlContext, proposal_id: string): Promise<ProposalRow> {
  const row = await proposalOf(db, proposal_id)
  if (row.user_id !== caller.user_id || (!caller.session && caller.client?.id !== row.client_id))
    throw forbidden('Only who proposed it may withdraw it', {
      suggestion: 'An editor or owner may refuse it: POST /api/proposals/{proposal_id}/refuse',
    })
  checkOpen(row)
  return row
}
