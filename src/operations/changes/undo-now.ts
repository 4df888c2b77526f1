import { conflict } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { applyUndo } from '#src/operations/changes/apply-undo.ts'
import type { UndoPlan } from '#src/operations/changes/plan-undo.ts'
import { writtenItems } from '#src/operations/changes/recorded-undo.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { markUndone } from '#src/storage/changes/changes.ts'
import { rebuildingIndexes } from '#src/storage/large/rebuild-indexes.ts'

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

export type OnConflict = 'refuse' | 'skip'

/** What undo answers. @throws Conflict with all that cannot be set back, where nothing is to be left out */
export function undoAnswer(
  { undone_events, conflicts, work }: UndoPlan,
  { dry_run, on_conflict }: { dry_run: boolean; on_conflict: OnConflict },
  change_id: Ulid | null,
) {
  if (conflicts.length && on_conflict === 'refuse' && !dry_run) {
    const [{ reason, path }] = conflicts as [(typeof conflicts)[number]]
    const more = conflicts.length > 1 ? ` (and ${conflicts.length - 1} more, see details.conflicts)` : ''
    const ways = new Set(conflicts.map(({ suggestion }) => suggestion))
    const way = ways.size === 1 ? [...ways][0] : 'Undo the later changes too'
    throw conflict(`Not all of it can be undone: ${path === null ? '' : `${path}: `}${reason}${more}`, {
      suggestion: `${way}, or undo the rest with on_conflict: "skip"`,
      details: { conflicts },
    })
  }
  return {
    change_id,
    undone_events,
    affected_item_ids: work.items.map(({ item_id }) => item_id).toSorted(),
    affected_tag_ids: work.tags.map(({ tag_id }) => tag_id).toSorted(),
    conflicts,
    dry_run,
  }
}
