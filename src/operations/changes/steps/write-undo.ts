import type { Ulid } from '#src/domain/ulid.ts'
import { planUndo, type UndoInput, type UndoPlan } from '#src/operations/changes/plan-undo.ts'
import type { OnConflict } from '#src/operations/changes/undo-answer.ts'
import { undoNow } from '#src/operations/changes/undo-now.ts'
import { defineStep } from '#src/operations/step.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'

interface Input extends UndoInput {
  on_conflict: OnConflict
  /** As `readUndoPlan` answered it: it holds while nothing was recorded since. */
  read: string
}

/** Carries out an undo that was planned on a reader; planned anew where something was written meanwhile. */
export const writeUndo = defineStep<Input, object>({
  name: 'writeUndo',
  effect: 'write',
  long: true,
  async run(context, { on_conflict, read, ...input }) {
    context.change.operation = 'undoChanges'
    const { newest, plan } = JSON.parse(read) as { newest: Ulid | null; plan: UndoPlan }
    const holds = newest === (await newestEvent(context.db))
    return undoNow(context, holds ? plan : await planUndo(context.db, input), on_conflict)
  },
})
