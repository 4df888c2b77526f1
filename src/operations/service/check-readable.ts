import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { query } from '#src/sql/query.ts'

const newestTag = query((_: object, sql) => sql.selectFrom('tag').select('id').orderBy('id', 'desc').limit(1))

/** Fails while the database is out of reach, however busy its writer is. */
export const checkReadable = defineOperation({
  name: 'checkReadable',
  summary: 'Ask the database whether it is there.',
  access: 'internal',
  effect: 'read',
  near: true,
  input: Type.Object({}),
  output: Type.Null(),
  async run({ db }) {
    await db.get(newestTag, {})
    return null
  },
})
