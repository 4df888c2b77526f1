import { Reply } from '#src/domain/reply.ts'
import { planUndo, type UndoInput } from '#src/operations/changes/plan-undo.ts'
import { defineStep } from '#src/operations/step.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'

/** What undo comes to, read beside the writer, and the newest event that it knows of. */
export const readUndoPlan = defineStep<UndoInput, { plan: object; newest: string | null }>({
  name: 'readUndoPlan',
  effect: 'read',
  long: true,
  async run({ db }, input) {
    const newest = await newestEvent(db)
    return new Reply(JSON.stringify({ newest, plan: await planUndo(db, input) }))
  },
})
