import { Reply } from '#src/domain/reply.ts'
import { planUndo, type UndoInput } from '#src/operations/changes/plan-undo.ts'
import { recordUndo } from '#src/operations/changes/recorded-undo.ts'
import { defineStep } from '#src/operations/step.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'

interface Input extends UndoInput {
  /** Where it is to be carried out: of a large one what is to be written is worked out as well. */
  record: boolean
}

/** What undo would change, read beside the writer, and the newest event that it knows of. */
export const readUndoPlan = defineStep<Input, object>({
  name: 'readUndoPlan',
  effect: 'read',
  long: true,
  async run(context, { record, ...input }) {
    const newest = await newestEvent(context.db)
    const plan = await planUndo(context.db, input)
    const recorded = record ? await recordUndo(context, plan) : undefined
    if (!recorded) return Reply.of({ newest, plan })
    const { lines, ...rest } = recorded
    return new Reply([JSON.stringify({ newest, ...rest }), ...lines].join('\n'))
  },
})
