import type { Ulid } from '#src/domain/ulid.ts'
import { planUndo, type UndoInput, type UndoPlan } from '#src/operations/changes/plan-undo.ts'
import type { OnConflict } from '#src/operations/changes/undo-answer.ts'
import { undoNow } from '#src/operations/changes/undo-now.ts'
import { defineStep } from '#src/operations/step.ts'
import { outOfDate } from '#src/operations/run-planned.ts'
import type { Db } from '#src/sql/query.ts'
import { idsChangedSince } from '#src/storage/changes/changed-since.ts'
import {
  linesOf,
  type RecordedWork,
  restsOnWhatIs,
  writeRecorded,
} from '#src/storage/changes/recorded-work.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'

interface Input extends UndoInput {
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
}

/** More events than these since then, and it is planned again. */
const MAX_SINCE = 10_000

/**
 * Carries out an undo that was planned on a reader.
 * @throws outOfDate where it does not hold any more
 */
export const writeUndo = defineStep<Input, object>({
  name: 'writeUndo',
  effect: 'write',
  long: true,
  async run(context, { on_conflict, read, here, ...input }) {
    context.change.operation = 'undoChanges'
    const lines = linesOf(read)
    const { newest, plan, work } = JSON.parse(lines.next().value as string) as PlannedUndo
    const holds =
      (await stillHolds(context.db, input, newest, plan)) &&
      (!work || (await restsOnWhatIs(context.db, work)))
    if (!holds) {
      if (!here) throw outOfDate()
      return undoNow(context, await planUndo(context.db, input), on_conflict)
    }
    const write = work && (() => writeRecorded(context.db, context, work, lines))
    return undoNow(context, plan, on_conflict, write)
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
