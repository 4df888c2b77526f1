import type { Static } from 'typebox'
import type { Operation } from '#src/runtime/operation.ts'

/** Where an operation is called, with the types of what it takes and answers. */
export interface Route<I, O> {
  readonly method: string
  /** With path parameters in braces. */
  readonly path: string
  /** Changes nothing, so it may be asked again. */
  readonly reads: boolean
  /** For the types alone. */
  readonly types?: (input: I) => O
}

/* @__NO_SIDE_EFFECTS__ */
export const route = <Op extends Pick<Operation, 'input' | 'output'>>(
  method: string,
  path: string,
  effect?: 'reads',
): Route<Static<Op['input']>, Static<Op['output']>> => ({ method, path, reads: effect === 'reads' })

export type InputOf<R> = R extends Route<infer I, unknown> ? I : never
export type OutputOf<R> = R extends Route<never, infer O> ? O : never
