import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { noCursor } from '#src/operations/page-by-id.ts'
import { Reply } from '#src/domain/reply.ts'
import { textsUpTo } from '#src/domain/up-to.ts'
import { importAnswer } from '#src/operations/imports/import-record.ts'
import { Import } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { importsOf } from '#src/storage/imports/imports.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'

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
  async run({ db, caller, page_text = MAX_PAGE_TEXT }, { limit = PAGE, after }) {
    const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
    if (!Number.isSafeInteger(before)) throw noCursor()
    const most = Math.min(limit, PAGE)
    const rows = await importsOf(db, userOf(caller), before, most + 1)
    const texts = await textsUpTo(rows.slice(0, most), page_text, async (row) =>
      JSON.stringify(await importAnswer(db, row)),
    )
    const last = rows.length > texts.length ? rows[texts.length - 1] : undefined
    return new Reply(`[${texts.join()}]`, last && { next: String(last.id) })
  },
})
