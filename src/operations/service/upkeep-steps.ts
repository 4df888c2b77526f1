import { defineStep } from '#src/runtime/step.ts'
import { warmColumns } from '#src/storage/columns/warm-columns.ts'
import { isAnyLeaving, takeSomeOut } from '#src/storage/large/leaving-items.ts'
import { foldSome, unfolded } from '#src/storage/text-folding/text-folding.ts'

/** Items in one transaction, for which others wait. */
const AT_ONCE = 500

/** Takes some of what large deletions have left in the indexes out of them; whether something is left. */
export const clearIndexes = defineStep<object, { left: boolean }>({
  name: 'clearIndexes',
  effect: 'write',
  run: async ({ db }) => ({ left: await takeSomeOut(db, AT_ONCE) }),
})

/** Whether large deletions have left something in the indexes. */
export const findLeaving = defineStep<object, { left: boolean }>({
  name: 'findLeaving',
  effect: 'read',
  run: async ({ db }) => ({ left: await isAnyLeaving(db) }),
})

/** How many texts an upgrade has left to be folded, roughly: row ids of which some may be gone. */
export const findUnfolded = defineStep<object, { left: number }>({
  name: 'findUnfolded',
  effect: 'read',
  async run({ db }) {
    const found = await unfolded(db)
    return { left: found ? found.last - found.done : 0 }
  },
})

/** Folds some of the texts that an upgrade has left. */
export const foldTexts = defineStep<object, { left: number }>({
  name: 'foldTexts',
  effect: 'write',
  run: async ({ db }) => ({ left: await foldSome(db) }),
})

/** How long one call reads on, in milliseconds: anyone who comes meanwhile waits for that. */
const TURN = 10

/** Reads some of the columns that searches and aggregates over many items will ask for. */
export const readColumns = defineStep<object, { more: boolean }>({
  name: 'readColumns',
  effect: 'read',
  async run({ db }) {
    const until = performance.now() + TURN
    let more: boolean
    do more = await warmColumns(db)
    while (more && performance.now() < until)
    return { more }
  },
})
