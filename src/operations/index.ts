import type { Operation } from '#src/operations/operation.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'

/** Every operation of the service. */
export const operations: readonly Operation[] = [...sqlOperations]
