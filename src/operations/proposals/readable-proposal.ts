import type { Caller } from '#src/domain/caller.ts'
import { type Db } from '#src/sql/query.ts'
import {
  proposalNotFound,
  proposalOf,
  type ProposalRow,
  type WantedProposals,
} from '#src/storage/proposals/proposals.ts'

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
