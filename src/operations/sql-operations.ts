import type { SqlOperation } from '#src/operations/operation.ts'

/** The operations that are SQL alone: all that a worker thread of the engine loads. */
export const sqlOperations: readonly SqlOperation[] = []
