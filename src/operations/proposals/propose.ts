import { userOf } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type DraftHead, type DraftInput, draftProposal } from '#src/operations/proposals/draft-proposal.ts'
import { nothingProposed } from '#src/operations/proposals/proposal-answer.ts'
import { keepProposal } from '#src/operations/proposals/proposal-steps.ts'
import type { ComposeContext } from '#src/runtime/operation.ts'
import { linesOf } from '#src/storage/large/recorded-work.ts'

interface Proposed extends DraftInput {
  message: string | null
  /** Answers what stands for a call, in place of the whole proposal. */
  brief: boolean
}

/** Tries operations out, and keeps what they would do as a proposal. */
export const propose = (
  { text, caller }: ComposeContext,
  { message, brief, ...draft }: Proposed,
): Promise<Reply> =>
  oneAtATime(userOf(caller), async () => {
    const { json } = await text(draftProposal, draft)
    const head = JSON.parse(linesOf(json).next().value as string) as DraftHead
    const { parts, warnings } = head
    const told = warnings.length ? { warnings } : undefined
    if (parts.length) {
      const { body, meta } = await text(keepProposal, { draft: json, message, brief })
      return new Reply(body, { ...meta, ...told })
    }
    const { proposal_id, summary, changed_count } = nothingProposed
    return Reply.of(brief ? { proposal_id, summary, changed_count, sample: [] } : nothingProposed, told)
  })

/** The last proposal that each account is making. */
const underWay = new Map<Ulid, Promise<unknown>>()

/** Each may keep a reader busy, and hold megabytes: those of one account wait for each other. */
async function oneAtATime<T>(user_id: Ulid, make: () => Promise<T>): Promise<T> {
  const turn = (underWay.get(user_id) ?? Promise.resolve()).then(make, make)
  underWay.set(user_id, turn)
  try {
    return await turn
  } finally {
    if (underWay.get(user_id) === turn) underWay.delete(user_id)
  }
}
