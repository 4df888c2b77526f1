import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { importState, importUnfinished } from '#src/storage/schema/import-state.ts'

/** For a process that the database knows of by now: an import that begins later sees it and stops. */
export const refuseHalfImported = defineOperation({
  name: 'refuseHalfImported',
  summary: 'Fails while an import into the database is unfinished.',
  access: 'internal',
  effect: 'read',
  inline: true,
  input: Type.Object({}),
  output: Type.Null(),
  async run({ db }) {
    if (await importState(db)) throw importUnfinished()
    return null
  },
})
