import { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { BulkAnswer } from '#src/operations/items/bulk-answer.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { MANY } from '#src/storage/log/audit-log.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { sightOf } from '#src/storage/sight/sight.ts'
import type { ReservedTag } from '#src/storage/tags/insert-tag.ts'
import { linesOf, MAX_RECORDED, type RecordedWork, WorkRecorder } from '#src/storage/large/recorded-work.ts'

/** Items whose changes are recorded together: where one has moved since, these are worked out again. */
const PART = 1000

/** What a bulk operation does with its items. */
export interface BulkWork {
  /** Items whose state it goes by, besides those that it changes. */
  readonly restsOn: readonly Ulid[]
  /** It deletes the items or brings them back; else it gives them another time. */
  readonly presence?: true
  /** The tag that it makes, where ids of it are reserved. */
  readonly makes?: ReservedTag | undefined
  /** Whether it goes by nothing else, so that it can be worked out beforehand. */
  readonly recordable: boolean
  /** Works on items (row ids), and notes them in the answer. */
  carryOut(context: SqlContext, items: readonly number[]): Promise<void>
  /** This many items were worked on beforehand. */
  passed?(items: number): void
  /** After all items. @throws where an item does not take what it was to get */
  finish?(): void
}

/** What a filter selected at one moment. */
export interface FoundTargets {
  /** The newest event of that moment. */
  newest: Ulid | null
  items: readonly number[]
  /** How long it took. */
  ms: number
}

/** What is to be written of items that follow one another in `items`, worked out at the same moment. */
export interface RecordedPart extends Omit<RecordedWork, 'lines'> {
  items: number
  affected: Ulid[]
  changed: number
}

/** What a bulk operation is planned from. */
export interface BulkPlan extends FoundTargets {
  restsOn: readonly Ulid[]
  /** The tag that `parts` speak of as if it were there. */
  makes?: ReservedTag | undefined
  parts: RecordedPart[]
}

/** What was found in less time than this is found again in the writer's turn rather than on the reader. */
export const QUICK_MS = 100

/** Whether it is worth it to work out what this many items get before the writer has its turn. */
export const isLarge = (items: number): boolean => items >= MANY

/**
 * Works out what a bulk operation is to write, on the snapshot of a reader: the writer then has the statements to carry
 * out, and nothing else.
 * @throws as the operation itself
 */
export async function planBulk(
  context: SqlContext,
  found: FoundTargets,
  workOf: (answer: BulkAnswer) => Promise<BulkWork>,
): Promise<Reply> {
  const lines: string[] = []
  const plan: BulkPlan = { ...found, restsOn: [], parts: [] }
  // A caller who may change only a number of items is stopped by the first one too many.
  const { caller, db } = context
  // … and of who sees a part each change is looked at when it is made.
  if (isLarge(found.items.length) && !caller.may_change && !sightOf(db)) {
    const answer = new BulkAnswer(context, false)
    const work = await workOf(answer)
    if (work.recordable) {
      plan.restsOn = work.restsOn
      plan.makes = work.makes
      await record(context, found.items, work, answer, plan.parts, lines)
    }
  }
  return new Reply([JSON.stringify(plan), ...lines].join('\n'))
}

async function record(
  context: SqlContext,
  items: readonly number[],
  work: BulkWork,
  answer: BulkAnswer,
  parts: RecordedPart[],
  lines: string[],
): Promise<void> {
  let size = 0
  for (let at = 0; at < items.length; at += PART) {
    if (size > MAX_RECORDED) return
    const some = items.slice(at, at + PART)
    const recorder = new WorkRecorder(context.db, { ahead: true })
    await work.carryOut({ ...context, db: recorder.db, recorder }, some)
    const { lines: added, ...recorded } = recorder.work
    parts.push({ ...recorded, ...answer.take(), items: some.length })
    for (const line of added) {
      size += line.length
      lines.push(line)
    }
  }
  work.finish?.()
}

/** What `find` selects (row ids, oldest first), and what `BulkPlan` needs to know of when that was. */
export async function foundNow<Items extends readonly number[] | undefined>(
  db: Db,
  find: () => Promise<Items>,
): Promise<Omit<FoundTargets, 'items'> & { items: Items }> {
  const newest = await newestEvent(db)
  const began = performance.now()
  const items = await find()
  return { newest, items, ms: performance.now() - began }
}

/** A plan as it was answered; the lines of its parts are taken from the text one after the other. */
export function readBulkPlan(text: string): BulkPlan & { lines: Generator<string, void> } {
  const lines = linesOf(text)
  const plan = JSON.parse(lines.next().value as string) as BulkPlan
  return { ...plan, lines }
}
