import { defineStep } from '#src/operations/step.ts'
import { ping } from '#src/storage/schema/ping.ts'

/** Fails while the database is out of reach, however busy its writer is. */
export const checkReadable = defineStep({
  name: 'checkReadable',
  effect: 'read',
  inline: true,
  async run({ db }) {
    await ping(db)
    return null
  },
})
