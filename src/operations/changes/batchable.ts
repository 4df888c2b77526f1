import { planUndo } from '#src/operations/changes/plan-undo.ts'
import { undoNow } from '#src/operations/changes/undo-now.ts'
import { undoChanges } from '#src/operations/changes/undo-changes.ts'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { bulkApplyTag } from '#src/operations/items/bulk-apply-tag.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { bulkRemoveTag } from '#src/operations/items/bulk-remove-tag.ts'
import { bulkUpdateFields } from '#src/operations/items/bulk-update-fields.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { mergeItems } from '#src/operations/items/merge/merge-items.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import type { Operation, SqlContext, SqlOperation } from '#src/operations/operation.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { restoreTag } from '#src/operations/tags/restore-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'

/** An operation as a batch carries it out, inside its own transaction. */
export interface Batchable {
  operation: Operation
  /** Of many items at once. */
  bulk: boolean
  run(context: SqlContext, input: Record<string, unknown>): Promise<unknown>
}

const plain = (operation: SqlOperation, bulk = false): [string, Batchable] => [
  operation.name,
  { operation, bulk, run: (context, input) => operation.run(context, input) },
]

/** The writing operations of the base, by name. */
export const batchable: ReadonlyMap<string, Batchable> = new Map([
  plain(applyTag),
  plain(bulkApplyTag, true),
  plain(bulkCreate, true),
  plain(bulkDelete, true),
  plain(bulkRemoveTag, true),
  plain(bulkUpdateFields, true),
  plain(createItem),
  plain(createTag),
  plain(deleteItem),
  plain(deleteTag),
  plain(mergeItems),
  plain(purgeDeleted, true),
  plain(removeTag),
  plain(restoreItem),
  plain(restoreTag),
  [
    undoChanges.name,
    {
      operation: undoChanges,
      bulk: true,
      async run(context, input) {
        const { on_conflict = 'refuse', ...chosen } = input as { on_conflict?: 'refuse' | 'skip' }
        return undoNow(context, await planUndo(context.db, chosen), on_conflict)
      },
    },
  ],
  plain(updateItem),
  plain(updateTag),
  plain(updateTagValues),
])
