import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { importAnswer } from '#src/operations/imports/import-record.ts'
import { Import } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { importsOf } from '#src/storage/imports/imports.ts'

/** An import can be long: it says what its columns seem to be. */
const PAGE = 20

export const listImports = defineOperation({
  name: 'listImports',
  summary: 'List your imports, newest first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/imports',
  paged: true,
  input: Type.Object(
    { limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(Import),
  example: { input: { limit: 20 } },
  async run({ db, caller }, { limit = PAGE, after }) {
    const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
    if (!Number.isSafeInteger(before)) throw badRequest('after: not a cursor of this list')
    const most = Math.min(limit, PAGE)
    const rows = await importsOf(db, userOf(caller), before, most + 1)
    const page = []
    for (const row of rows.slice(0, most)) page.push(await importAnswer(db, row))
    const next = limit > 0 && rows.length > most ? { next: String(rows[most - 1]!.id) } : undefined
    return Reply.of(page, next)
  },
})
