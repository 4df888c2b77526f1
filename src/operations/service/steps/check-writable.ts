import { defineStep } from '#src/operations/step.ts'
import { probeWriting } from '#src/storage/accounts/server-secrets.ts'

/** Fails while the database takes no writes. */
export const checkWritable = defineStep({
  name: 'checkWritable',
  effect: 'write',
  async run({ db }) {
    await probeWriting(db)
    return { status: 'ok' as const }
  },
})
