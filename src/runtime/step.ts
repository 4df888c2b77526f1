import type { Step } from '#src/runtime/operation.ts'

/** Gives `run` its types; the definition itself comes back as it is. */
export const defineStep = <I extends object, O>(definition: Step<I, O>): Step<I, O> => definition
