import type { Ulid } from '#src/domain/ulid.ts'
import { planUndo } from '#src/operations/changes/plan-undo.ts'
import { undoNow } from '#src/operations/changes/undo-now.ts'
import { isOpen } from '#src/operations/changes/taken-back.ts'
import { type ImportPlace, placeOf } from '#src/operations/imports/import-record.ts'
import { atPlace, noteChange, type Portion } from '#src/operations/imports/run-steps.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { type Db, query } from '#src/sql/query.ts'
import { changesOf } from '#src/storage/changes/changes.ts'
import { importChanges } from '#src/storage/imports/import-changes.ts'
import { findImport, updateImport } from '#src/storage/imports/imports.ts'

/**
 * What keeps the change of a portion from being taken back, as it will be when the later ones of the import have been;
 * `n` counts the changes from the newest. Null: there is no such change.
 */
export const findImportConflicts = defineStep({
  name: 'findImportConflicts',
  effect: 'read',
  long: true,
  async run(
    { db },
    { import_id, n }: { import_id: Ulid; n: number },
  ): Promise<{ conflicts: object[] } | null> {
    const record = await findImport(db, import_id)
    const changes = record ? await importChanges(db, record.id) : []
    const at = changes.length - 1 - n
    if (at < 0) return null
    if (!(await isInForce(db, changes[at]!))) return { conflicts: [] }
    const { conflicts } = await planUndo(db, { change_ids: [changes[at]!] })
    const left = []
    for (const each of conflicts.filter(isOpen))
      // A tag is on what later portions made, which is gone by then.
      if (each.item_id || !each.tag_id || (await isOthers(db, each.tag_id, changes))) left.push(each)
    const items = left.flatMap(({ item_id }) => item_id ?? [])
    // What later portions did to the same items is taken back before.
    const later = items.length ? await changesWith(db, changes.slice(at + 1), items) : []
    if (!later.length) return { conflicts: left }
    const together = await planUndo(db, { change_ids: [changes[at]!, ...later] })
    return { conflicts: together.conflicts.filter((each) => each.item_id && isOpen(each)) }
  },
})

/** Takes the next change of an import back, newest first, in one transaction with how far that is; null: it is stopped. */
export const undoImportChange = defineStep({
  name: 'undoImportChange',
  effect: 'write',
  long: true,
  async run(context, portion: Portion): Promise<{ left: number } | null> {
    const record = await atPlace(context, portion, 'undo')
    if (!record) return null
    const { db } = context
    const place = placeOf(record)
    const changes = await importChanges(db, record.id)
    const at = changes.length - 1 - place.n
    if (at < 0) return { left: 0 }
    const { gone = [] } = place
    if (await isInForce(db, changes[at]!)) {
      const plan = await planUndo(db, { change_ids: [changes[at]!] })
      const conflicts = plan.conflicts.filter(isOpen)
      // A portion of which something is left is in force, and can be taken back once more.
      const undoes = conflicts.length ? [] : plan.undoes
      await undoNow(context, { ...plan, conflicts, undoes }, place.on_conflict ?? 'refuse')
      await noteChange(context, record, true)
      if (!conflicts.length && context.change.lastEvent === null) gone.push(changes[at]!)
    }
    const next: ImportPlace = { ...place, n: place.n + 1, ...(gone.length && { gone }) }
    await updateImport(db, record.id, { place: JSON.stringify(next) })
    return { left: at }
  },
})

/** Somebody may have taken a portion back by itself. */
const isInForce = async (db: Db, change_id: Ulid): Promise<boolean> =>
  (await changesOf(db, [change_id])).some(({ undone_by }) => undone_by === null)

const withItems = query((p: { changes: string; items: string }, sql, { texts }) =>
  sql
    .selectFrom('audit_event')
    .select('change_id')
    .distinct()
    .where('item_id', 'in', texts(p.items))
    .where('change_id', 'in', texts(p.changes)),
)

async function changesWith(db: Db, changes: readonly Ulid[], items: readonly Ulid[]): Promise<Ulid[]> {
  const rows = await db.all(withItems, { changes: JSON.stringify(changes), items: JSON.stringify(items) })
  return rows.flatMap(({ change_id }) => change_id ?? [])
}

const othersOfTag = query((p: { tag_id: Ulid; changes: string }, sql, { texts }) =>
  sql
    .selectFrom('audit_event')
    .innerJoin('change', 'change.change_id', 'audit_event.change_id')
    .select('audit_event.event_id')
    .where('audit_event.tag_id', '=', p.tag_id)
    .where('change.undone_by', 'is', null)
    .where('audit_event.change_id', 'not in', texts(p.changes))
    .limit(1),
)

/** Whether others have applied or changed the tag since, and have not taken that back. */
const isOthers = async (db: Db, tag_id: Ulid, changes: readonly Ulid[]): Promise<boolean> =>
  (await db.get(othersOfTag, { tag_id, changes: JSON.stringify(changes) })) !== undefined
