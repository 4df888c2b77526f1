import { defineStep } from '#src/operations/step.ts'
import { foldSome } from '#src/storage/text-folding/text-folding.ts'

/** Folds some of the texts that an upgrade has left. */
export const foldTexts = defineStep<object, { left: number }>({
  name: 'foldTexts',
  effect: 'write',
  run: async ({ db }) => ({ left: await foldSome(db) }),
})
