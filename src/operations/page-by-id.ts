import { Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { pageOfTexts } from '#src/domain/page-of-texts.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { STREAM_PAGE } from '#src/operations/paging.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'

/** What a list takes whose cursor is the id of its last element. */
export const PageById = Type.Object(
  { limit: Type.Optional(Limit), after: Type.Optional(After) },
  { additionalProperties: false },
)

interface ListById<Row> {
  read: (after: Ulid | undefined, limit: number) => Promise<readonly Row[]>
  idOf: (row: Row) => Ulid
  textOf: (row: Row) => string
}

/** The 400 for an `after` that is none of the list. */
export const noCursor = () =>
  invalid([{ path: 'after', message: 'is no cursor of this list' }], {
    suggestion: 'Take X-Next-Cursor (next.after) as it came with the page before',
  })

/** One page of it, which ends early where it is long. @throws BadRequest for a cursor that is none */
export async function pageById<Row>(
  { page_text = MAX_PAGE_TEXT }: { page_text?: number | undefined },
  { limit = STREAM_PAGE, after }: { limit?: number; after?: string },
  { read, idOf, textOf }: ListById<Row>,
): Promise<Reply> {
  const from = after === undefined ? undefined : parseUlid(after)
  if (from === null) throw noCursor()
  const { texts, end } = await pageOfTexts<Row>({
    limit,
    max: page_text,
    read: (last, count) => read(last ? idOf(last) : from, count),
    textOf,
  })
  return new Reply(`[${texts.join()}]`, end && { next: idOf(end) })
}
