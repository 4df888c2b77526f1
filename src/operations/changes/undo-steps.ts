import { Reply } from '#src/domain/reply.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { planUndo, type UndoInput, type UndoPlan } from '#src/operations/changes/plan-undo.ts'
import { isRecordable, missingFromIndexes, recordUndo } from '#src/operations/changes/recorded-undo.ts'
import { type OnConflict, undoAnswer, undoNow } from '#src/operations/changes/undo-now.ts'
import { defineStep } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { idsChangedSince } from '#src/storage/changes/changed-since.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import type { WrittenItems } from '#src/storage/large/rebuild-indexes.ts'
import {
  linesOf,
  type RecordedWork,
  restsOnWhatIs,
  writeEarly,
  writeRecorded,
} from '#src/storage/large/recorded-work.ts'
import { isLongPlan, isWrittenAhead, lockItems } from '#src/storage/large/write-ahead.ts'

interface PlanInput extends UndoInput {
  /** Nothing is to be carried out: it is what is answered, and the plan itself need not leave its reader. */
  dry_run: boolean
}

/** What undo would change, read without holding the writer, and the newest event that it knows of; of a large one also what is to be written. */
export const readUndoPlan = defineStep<PlanInput, object>({
  name: 'readUndoPlan',
  effect: 'read',
  long: true,
  async run(context, { dry_run, ...input }) {
    const newest = await newestEvent(context.db)
    const plan = await planUndo(context.db, input)
    if (dry_run) return Reply.of(undoAnswer(plan, { dry_run, on_conflict: 'skip' }, null))
    if (!isRecordable(context, plan)) return Reply.of({ newest, plan })
    const missing = await missingFromIndexes(context.db, plan.work)
    if (missing.length) return rolledBack('out_of_indexes', missing)
    const recorded = await recordUndo(context, plan)
    if (!recorded) return Reply.of({ newest, plan })
    const { lines, ...rest } = recorded
    return new Reply([JSON.stringify({ newest, ...rest }), ...lines].join('\n'))
  },
})

interface WriteInput extends UndoInput {
  on_conflict: OnConflict
  /** As `readUndoPlan` answered it. */
  read: string
  /** What does not hold any more is planned again here, and others wait meanwhile. */
  here: boolean
}

interface PlannedUndo {
  newest: Ulid | null
  plan: UndoPlan
  /** What it writes, where that has been worked out; `plan.work` then says which items alone. */
  work?: Omit<RecordedWork, 'lines'>
  written?: WrittenItems
}

/** More events than these since then, and it is planned again. */
const MAX_SINCE = 10_000

/** What an undo writes is one part. */
const WHOLE = 0

/** Carries out an undo that was planned on a reader; overtaken where it does not hold any more. */
export const writeUndo = defineStep<WriteInput, object>({
  name: 'writeUndo',
  effect: 'write',
  long: true,
  isAhead: ({ read }) => isLongPlan(read),
  async ahead({ db }, { read, ...input }) {
    const lines = linesOf(read)
    const { newest, plan, work } = JSON.parse(lines.next().value as string) as PlannedUndo
    if (!work || !db.ahead) return
    await lockItems(db, plan.concerns.items)
    if (!(await stillHolds(db, input, newest, plan))) return
    await writeEarly(db, work, lines)
    db.ahead.parts.add(WHOLE)
  },
  async run(context, { on_conflict, read, here, ...input }) {
    context.change.operation = 'undoChanges'
    const lines = linesOf(read)
    const { newest, plan, written, work } = JSON.parse(lines.next().value as string) as PlannedUndo
    const holds =
      (await stillHolds(context.db, input, newest, plan)) &&
      (!work || (await restsOnWhatIs(context.db, work)))
    if (!holds) {
      if (!here || isWrittenAhead(context.db)) return rolledBack('overtaken')
      return undoNow(context, await planUndo(context.db, input), on_conflict)
    }
    const write = work && (() => writeRecorded(context.db, context, work, lines, WHOLE))
    return undoNow(context, plan, on_conflict, write, written)
  },
})

/** What others have written since is nothing to it while it concerns other items. A filter may find more by now. */
async function stillHolds(
  db: Db,
  { filter }: UndoInput,
  newest: Ulid | null,
  { concerns }: UndoPlan,
): Promise<boolean> {
  if (newest === (await newestEvent(db))) return true
  if (filter || concerns.tags) return false
  const changed = await idsChangedSince(db, newest, MAX_SINCE)
  return changed !== undefined && !concerns.items.some((item_id) => changed.has(item_id))
}
