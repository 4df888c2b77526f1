import { defineStep } from '#src/operations/step.ts'
import { refuseOtherSchema } from '#src/storage/schema/refuse-other-schema.ts'

/** For commands, which leave migrations to the service. */
export const checkSchema = defineStep({
  name: 'checkSchema',
  effect: 'read',
  async run({ db }) {
    await refuseOtherSchema(db)
    return null
  },
})
