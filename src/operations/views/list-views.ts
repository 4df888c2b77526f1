import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { invalid } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { After, Limit } from '#src/operations/schemas.ts'
import { View } from '#src/operations/views/view-schemas.ts'
import { listViewsOf, viewJson } from '#src/storage/views/views.ts'

export const listViews = defineOperation({
  name: 'listViews',
  summary: 'List your views, oldest first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/views',
  tool: 'list_views',
  paged: true,
  input: Type.Object(
    { limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(View),
  example: { input: { fields: ['view_id', 'name'] } },
  async run({ db, caller }, { limit, after }) {
    // The cursor is the id of the last view of the page before: ids are in order of creation.
    const last = after === undefined ? undefined : parseUlid(after)
    if (last === null) throw invalid([{ path: 'after', message: 'is no cursor of a list of views' }])
    const views = await listViewsOf(db, userOf(caller), { after: last, limit: limit && limit + 1 })
    const page = views.slice(0, limit)
    const next = views.length > page.length ? page.at(-1)!.view_id : undefined
    return new Reply(`[${page.map(viewJson).join(',')}]`, { ...(next && { next }) })
  },
})
