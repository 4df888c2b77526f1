import { applyUndo } from '#src/operations/changes/apply-undo.ts'
import type { UndoPlan } from '#src/operations/changes/plan-undo.ts'
import { writtenItems } from '#src/operations/changes/recorded-undo.ts'
import { undoAnswer, type OnConflict } from '#src/operations/changes/undo-answer.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { rebuildingIndexes } from '#src/storage/large/rebuild-indexes.ts'
import { markUndone } from '#src/storage/changes/changes.ts'

/** Writes what was planned (`write`: where that was worked out beforehand), and notes which changes are undone by it. */
export async function undoNow(
  context: SqlContext,
  plan: UndoPlan,
  on_conflict: OnConflict,
  write: () => Promise<void> = () => applyUndo(context, plan.work),
  written = writtenItems(plan.work),
) {
  const { db, change } = context
  const answer = undoAnswer(plan, { dry_run: false, on_conflict }, null)
  await rebuildingIndexes(db, written, write)
  if (change.lastEvent === null) return answer
  change.undoes = [...change.undoes, ...plan.undoes]
  await markUndone(db, plan.undoes, change.id)
  return { ...answer, change_id: change.id }
}
