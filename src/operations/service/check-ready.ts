import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { query } from '#src/sql/query.ts'

const newestTag = query((_: object, sql) => sql.selectFrom('tag').select('id').orderBy('id', 'desc').limit(1))

/** Fails while the database does not take writes. */
export const checkReady = defineOperation({
  name: 'checkReady',
  summary: 'Ask the writer whether it works.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({}),
  output: Type.Object({ status: Type.Literal('ok') }),
  async run({ db }) {
    await db.get(newestTag, {})
    return { status: 'ok' as const }
  },
})
