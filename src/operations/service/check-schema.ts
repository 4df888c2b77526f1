import { Type } from 'typebox'
import { unavailable } from '#src/domain/errors.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { appliedMigrations } from '#src/storage/applied-migrations.ts'

/** For commands, which leave migrations to the service. */
export const checkSchema = defineOperation({
  name: 'checkSchema',
  summary: 'Fails where the database is of another version than this program.',
  access: 'internal',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Null(),
  async run({ db }) {
    const applied = await appliedMigrations(db)
    if (applied.join() !== Object.keys(migrations).join())
      throw unavailable('The database is of another version than this program', {
        suggestion: 'Start the service of this version once, which brings the database up to date',
      })
    return null
  },
})
