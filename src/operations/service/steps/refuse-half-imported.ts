import { defineStep } from '#src/operations/step.ts'
import { importState, importUnfinished } from '#src/storage/schema/import-state.ts'

/** For a process that the database knows of by now: an import that begins later sees it and stops. */
export const refuseHalfImported = defineStep({
  name: 'refuseHalfImported',
  effect: 'read',
  inline: true,
  async run({ db }) {
    if (await importState(db)) throw importUnfinished()
    return null
  },
})
