import { defineStep } from '#src/operations/step.ts'
import { unfolded } from '#src/storage/text-folding/text-folding.ts'

/** How many texts an upgrade has left to be folded, roughly: row ids of which some may be gone. */
export const findUnfolded = defineStep<object, { left: number }>({
  name: 'findUnfolded',
  effect: 'read',
  async run({ db }) {
    const found = await unfolded(db)
    return { left: found ? found.last - found.done : 0 }
  },
})
