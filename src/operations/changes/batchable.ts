import { planUndo } from '#src/operations/changes/plan-undo.ts'
import { undoNow } from '#src/operations/changes/undo-now.ts'
import { undoChanges } from '#src/operations/changes/undo-changes.ts'
import { checkIfUpdatedAt } from '#src/runtime/conditional.ts'
import type { Operation, SqlContext, SqlOperation } from '#src/runtime/operation.ts'
import { requestedOptions, requestedTimeZone } from '#src/runtime/requested-options.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'

/** An operation as a batch carries it out, inside its own transaction. */
export interface Batchable {
  operation: Operation
  /** Of many items at once. */
  bulk: boolean
  run(context: SqlContext, input: Record<string, unknown>): Promise<unknown>
}

const BULK = new Set(['purgeDeleted', 'upsertItems', 'migrateTagValues'])

const plain = (operation: SqlOperation): Batchable => ({
  operation,
  bulk: operation.name.startsWith('bulk') || BULK.has(operation.name),
  async run(given, input) {
    const time_zone = requestedTimeZone(input) ?? given.time_zone
    const context = { ...given, ...requestedOptions(input), time_zone, in_body: given.in_body ?? true }
    await checkIfUpdatedAt(context, operation, input)
    return operation.run(context, input)
  },
})

const undo: Batchable = {
  operation: undoChanges,
  bulk: true,
  async run(context, input) {
    const { on_conflict = 'refuse', ...chosen } = input as { on_conflict?: 'refuse' | 'skip' }
    return undoNow(context, await planUndo(context.db, chosen), on_conflict)
  },
}

/** What changes the base: not what is somebody's own, as views are, nor an import, which goes on by itself. */
const isBatchable = ({ effect, access, rest, needs = 'base' }: SqlOperation) =>
  effect === 'write' &&
  access === 'user' &&
  needs === 'base' &&
  ![rest].flat().some((route) => route?.includes('/api/imports'))

/** The writing operations of the base, by name. */
export const batchable: ReadonlyMap<string, Batchable> = new Map(
  [...sqlOperations.filter(isBatchable).map(plain), undo]
    .toSorted((a, b) => (a.operation.name < b.operation.name ? -1 : 1))
    .map((each) => [each.operation.name, each]),
)
