import { defineStep } from '#src/operations/step.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'

/** The newest id of all tables: its time is the latest that the database knows of. */
export const findNewestId = defineStep({
  name: 'findNewestId',
  effect: 'read',
  run: async ({ db }) => ({ id: await newestId(db) }),
})
