import { applyUndo } from '#src/operations/changes/apply-undo.ts'
import type { UndoPlan } from '#src/operations/changes/plan-undo.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { ItemWork, UndoWork } from '#src/domain/undo/undo-work.ts'
import type { Db } from '#src/sql/query.ts'
import type { WrittenItems } from '#src/storage/large/rebuild-indexes.ts'
import { outOfIndexes } from '#src/storage/large/returning-items.ts'
import { MANY } from '#src/storage/log/audit-log.ts'
import { MAX_RECORDED, type RecordedWork, WorkRecorder } from '#src/storage/large/recorded-work.ts'

/** What an undo changes, with all that it writes in place of what the writer would make that from. */
export interface RecordedUndo {
  plan: UndoPlan
  written: WrittenItems
  work: Omit<RecordedWork, 'lines'>
  lines: string[]
}

/** Whether it is a large undo of which all that it writes can be known beforehand. */
export const isRecordable = ({ caller }: SqlContext, plan: UndoPlan): boolean =>
  plan.undone_events >= MANY && !caller.may_change && writesBlindly(plan)

/** Works out what such an undo writes, alongside the writer; undefined where that is too much to be recorded. */
export async function recordUndo(context: SqlContext, plan: UndoPlan): Promise<RecordedUndo | undefined> {
  const recorder = new WorkRecorder(context.db, { ahead: true })
  await applyUndo({ ...context, db: recorder.db, recorder }, plan.work)
  if (recorder.size > MAX_RECORDED) return undefined
  const { lines, ...work } = recorder.work
  const items = plan.work.items.map(({ item_id }) => ({ item_id }))
  const rest = { ...plan, work: { items, tags: [] } as unknown as UndoPlan['work'] }
  return { plan: rest, written: writtenItems(plan.work), work, lines }
}

/** Rows of items that an undo writes. */
export const writtenItems = ({ items }: UndoWork): WrittenItems => ({
  times: items.length,
  presence: items.filter(({ was_live, is_live }) => was_live !== is_live).length,
})

/** Of those that come back from the trash as they were deleted, which have to be in the indexes first. */
export const missingFromIndexes = (db: Db, { items }: UndoWork): Promise<readonly number[]> =>
  outOfIndexes(
    db,
    items
      .filter((item) => !item.was_live && item.is_live && !changesTags(item))
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  )

/** Without reading what it has written itself: of tags, and of entries of items that come back with them. */
const writesBlindly = ({ work: { items, tags } }: UndoPlan): boolean =>
  !tags.length && items.every((item) => item.was_live || !item.is_live || !changesTags(item))

const changesTags = ({ removed, applied, changed }: ItemWork): boolean =>
  removed.length + applied.length + changed.length > 0
