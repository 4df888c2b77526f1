import { Type } from 'typebox'
import type { Precondition } from '#src/domain/precondition.ts'
import type { Part } from '#src/operations/changes/run-batch.ts'
import { propose } from '#src/operations/proposals/propose.ts'
import { type ComposeOperation, defineOperation } from '#src/runtime/operation.ts'

interface ProposedCall {
  /** The operation that was called, and its input, which is valid. */
  operation: string
  input: Record<string, unknown>
  precondition?: Precondition | undefined
}

/** What becomes of a change by a caller who may only propose. No interface calls it by itself. */
export const proposeCall = defineOperation({
  name: 'proposeCall',
  summary: 'Keep a change that was called for as a proposal.',
  access: 'user',
  effect: 'compose',
  input: Type.Object({}, { additionalProperties: true }),
  output: Type.Object({}, { additionalProperties: true }),
  run(context, given) {
    const { operation, input, precondition } = given as unknown as ProposedCall
    const { operations, allow_warnings = false } = input as { operations?: Part[]; allow_warnings?: boolean }
    const call =
      operation === 'batch'
        ? { operations: operations!, single: false, allow_warnings }
        : { operations: [{ operation, input }], single: true, allow_warnings, precondition }
    return propose(context, { ...call, message: null, brief: true })
  },
}) as ComposeOperation
