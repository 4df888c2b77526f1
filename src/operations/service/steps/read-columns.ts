import { defineStep } from '#src/operations/step.ts'
import { warmColumns } from '#src/storage/columns/warm-columns.ts'

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
