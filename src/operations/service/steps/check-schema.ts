import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { refuseOtherSchema } from '#src/storage/schema/refuse-other-schema.ts'

/** For commands, which leave migrations to the service. */
export const checkSchema = defineOperation({
  name: 'checkSchema',
  summary: 'Fails where the database is of another version than this program.',
  access: 'internal',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Null(),
  async run({ db }) {
    await refuseOtherSchema(db)
    return null
  },
})
