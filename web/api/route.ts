import type { Static } from 'typebox'
import type { Operation } from '#src/runtime/operation.ts'

/** Where an operation is called, with the types of what it takes and answers. */
export interface Route<I, O> {
  readonly method: string
  /** With path parameters in braces. */
  readonly path: string
  /** Changes nothing, so it may be asked again. */
  readonly reads: boolean
  /** A change of the base that goes with an Idempotency-Key (additions §5): sent again, it is carried out once. */
  readonly keyed?: boolean
  /** For the types alone. */
  readonly types?: (input: I) => O
}

/* @__NO_SIDE_EFFECTS__ */
export const route = <Op extends Pick<Operation, 'input' | 'output'>>(
  method: string,
  path: string,
  effect?: 'reads' | 'keyed',
): Route<Static<Op['input']>, Static<Op['output']>> => ({
  method,
  path,
  reads: effect === 'reads' || method === 'GET',
  keyed: effect === 'keyed',
})

export type InputOf<R> = R extends Route<infer I, unknown> ? I : never
export type OutputOf<R> = R extends Route<never, infer O> ? O : never
