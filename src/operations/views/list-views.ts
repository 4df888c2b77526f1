import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { noCursor } from '#src/operations/page-by-id.ts'
import { pageOfTexts } from '#src/domain/page-of-texts.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { STREAM_PAGE } from '#src/operations/paging.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { View } from '#src/operations/views/view-schemas.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'
import { viewTexts } from '#src/operations/views/view-answer.ts'
import { listViewsOf, type ViewPlace, type ViewRow } from '#src/storage/views/views.ts'

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
    {
      shared: Type.Optional(Type.Boolean({ description: 'Also those that others share' })),
      sort: Type.Optional(
        Type.Literal('position', { description: 'By position; those without come last, oldest first' }),
      ),
      limit: Type.Optional(Limit),
      after: Type.Optional(After),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(View),
  example: { input: { fields: ['view_id', 'name'] } },
  async run({ db, caller, page_text = MAX_PAGE_TEXT }, { shared = false, sort, limit = STREAM_PAGE, after }) {
    const from = after === undefined ? undefined : placeOf(after, sort !== undefined)
    if (from === null) throw noCursor()
    const { texts, end } = await pageOfTexts<ViewRow>({
      limit,
      max: page_text,
      read: (last, count) =>
        listViewsOf(db, userOf(caller), { shared, sort, after: last ?? from, limit: count }),
      textOf: await viewTexts(db, caller),
    })
    const next = end && (sort === undefined ? end.view_id : cursorByPosition(end))
    return new Reply(`[${texts.join(',')}]`, { ...(next && { next }) })
  },
})

/** A plus, as of 1e+300, would be a blank in a query string. */
const cursorByPosition = ({ view_id, position }: ViewPlace) =>
  `${view_id}.${String(position ?? '').replace('+', '')}`

/**
 * What a cursor says: the id of the last view of the page before (ids are in order of creation), and its position where
 * that is the order; so the list goes on although the view is gone.
 */
function placeOf(after: string, sorted: boolean): ViewPlace | null {
  const [id = '', ...rest] = after.split('.')
  const view_id = parseUlid(id)
  if (!view_id || sorted !== rest.length > 0) return null
  const text = rest.join('.')
  const position = text === '' ? null : Number(text)
  return position !== null && !Number.isFinite(position) ? null : { view_id, position }
}
