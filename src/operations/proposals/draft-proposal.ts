import { userOf } from '#src/domain/caller.ts'
import { proposedSummary } from '#src/domain/change-summary.ts'
import { badRequest, conflict, invalid } from '#src/domain/errors.ts'
import type { Precondition } from '#src/domain/precondition.ts'
import { idOfPart, type ProposedPart, partAnswer } from '#src/domain/proposals/proposed-part.ts'
import { withIds } from '#src/domain/proposals/needs.ts'
import { Reply, toReply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { batchable } from '#src/operations/changes/batchable.ts'
import { carryOut, type Part } from '#src/operations/changes/run-batch.ts'
import { keepParts } from '#src/operations/proposals/keep-parts.ts'
import { MAX_SAMPLE } from '#src/operations/schemas/inputs.ts'
import { checkIfUpdatedAt } from '#src/runtime/conditional.ts'
import type { Db } from '#src/sql/query.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { requestedOptions } from '#src/runtime/requested-options.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { countOpenProposals } from '#src/storage/proposals/proposals.ts'
import type { AuditEvent } from '#src/storage/log/audit-log.ts'

/** Of an account. */
const MAX_OPEN = 100
const MAX_EVENTS = 10_000
const MAX_BYTES = 16 * 2 ** 20

/** What cannot be proposed: it does not come back, or is not a change of items and tags as they are. */
const NEVER = new Set(['purgeDeleted', 'undoChanges'])

export interface DraftInput {
  operations: Part[]
  /** One operation that was called by itself: its faults are reported as it reports them. */
  single: boolean
  allow_warnings: boolean
  precondition?: Precondition | undefined
}

/** The first line of a draft; each other one is the content of a part, as JSON text. */
export interface DraftHead {
  summary: string
  counts: Record<string, number>
  after_event: string
  /** What each part is of, in their order. */
  parts: { item_id: Ulid | null; tag_id: Ulid | null }[]
  sample: object[]
  /** What filters say that can never match. */
  warnings: string[]
}

/** Carries operations out where nothing of it stays, and answers what they did, to be kept. */
export const draftProposal = defineStep<DraftInput, object>({
  name: 'draftProposal',
  effect: 'write',
  long: true,
  isDryRun: () => true,
  async run(given, { operations, single, allow_warnings, precondition }) {
    await checkRoom(given.db, userOf(given.caller))
    const after_event = (await newestEvent(given.db)) ?? ''
    const taken: AuditEvent[] = []
    const context = { ...given, allow_warnings, onEvents: withinLimits(taken) }
    if (!single) refuseNever(operations)
    const warnings = single
      ? await carryOutOne(context, operations[0]!, precondition)
      : warningsIn(await carryOut(context, { operations, dry_run: false }))
    const parts = await keepParts(context, taken, after_event)
    const { facts } = context.change
    const head: DraftHead = {
      summary: proposedSummary(facts),
      counts: facts.counts,
      after_event,
      parts: parts.map(({ item_id, tag_id }) => ({ item_id, tag_id })),
      sample: parts.slice(0, sampleOf(operations, single)).map(partAnswer),
      warnings,
    }
    const text = [head, ...parts].map((each) => JSON.stringify(each)).join('\n')
    return new Reply(withIds(text, placeholders(parts, given.now)))
  },
})

const sampleOf = ([first]: readonly Part[], single: boolean): number =>
  (single ? requestedOptions(first!.input).sample : undefined) ?? MAX_SAMPLE

/** @throws Conflict where the account has as many open ones as it may */
export async function checkRoom(db: Db, user_id: Ulid): Promise<void> {
  if ((await countOpenProposals(db, user_id)) < MAX_OPEN) return
  throw conflict(`This account has ${MAX_OPEN} open proposals, which is the most`, {
    suggestion: 'Wait until some are decided, or withdraw some: POST /api/proposals/{proposal_id}/withdraw',
  })
}

/** Takes events, as many as a proposal may have. */
function withinLimits(taken: AuditEvent[]): (events: readonly AuditEvent[]) => void {
  let bytes = 0
  return (events) => {
    for (const event of events) {
      const { details } = event
      bytes += Buffer.byteLength(typeof details === 'string' ? details : JSON.stringify(details))
      taken.push(event)
    }
    if (taken.length > MAX_EVENTS)
      throw badRequest(`A proposal has at most ${MAX_EVENTS} events: this would have more`, {
        suggestion: 'Make several proposals, of fewer items each',
      })
    if (bytes > MAX_BYTES)
      throw badRequest(`A proposal keeps at most ${MAX_BYTES / 2 ** 20} MB: this would be more`, {
        suggestion: 'Make several proposals, of fewer items each',
      })
  }
}

function refuseNever(operations: readonly Part[]): void {
  for (const [i, { input }] of operations.entries())
    if (Object.hasOwn(input, 'dry_run'))
      throw invalid([
        {
          path: `operations[${i}].input.dry_run`,
          message: 'belongs next to the operations of a batch; a proposal has none: leave it out',
        },
      ])
  const problems = operations.flatMap(({ operation }, i) =>
    NEVER.has(operation)
      ? [{ path: `operations[${i}].operation`, message: `'${operation}' cannot be proposed` }]
      : [],
  )
  if (problems.length)
    throw invalid(problems, { suggestion: 'Leave it out, and ask somebody who may to do it' })
}

/** Those of the results of a batch, each with the place of its operation. */
function warningsIn({ json }: Reply): string[] {
  if (!json.includes('"warnings":')) return []
  const { results = [] } = JSON.parse(json) as { results?: { warnings?: string[] }[] }
  return results.flatMap(({ warnings = [] }, i) => warnings.map((each) => `operations[${i}]: ${each}`))
}

/** Answers the warnings of its filter. */
async function carryOutOne(
  context: SqlContext,
  { operation: name, input }: Part,
  precondition: Precondition | undefined,
): Promise<string[]> {
  const { operation, run } = batchable.get(name)!
  context.change.operation = name
  if (precondition) await checkIfUpdatedAt(context, operation, input, precondition)
  // What its route has in the path is no name of a tag here either.
  return toReply(await run({ ...context, in_body: false }, input)).meta?.warnings ?? []
}

/**
 * What it would make has ids that nothing else will ever have: those that it got where it was tried out may be given to
 * others.
 */
function placeholders(parts: readonly ProposedPart[], now: Date): Map<string, string> {
  const source = ulidSource()
  return new Map(
    parts.flatMap((part) =>
      (part.made_item ?? part.made_tag) ? [[idOfPart(part), source(Number(now))] as const] : [],
    ),
  )
}
