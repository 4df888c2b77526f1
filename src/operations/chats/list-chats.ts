import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { noCursor } from '#src/operations/page-by-id.ts'
import { pageOfTexts } from '#src/domain/page-of-texts.ts'
import { Reply } from '#src/domain/reply.ts'
import { Chat } from '#src/operations/chats/chat-schemas.ts'
import { STREAM_PAGE } from '#src/operations/paging.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { type ChatPlace, type ChatRow, chatView, listChatsOf } from '#src/storage/chats/chats.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'

export const listChats = defineOperation({
  name: 'listChats',
  summary: 'List your chats, last updated first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/chats',
  paged: true,
  input: Type.Object(
    { limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(Chat),
  async run({ db, caller, page_text = MAX_PAGE_TEXT }, { limit = STREAM_PAGE, after }) {
    const from = after === undefined ? undefined : placeOf(after)
    const { texts, end } = await pageOfTexts<ChatRow>({
      limit,
      max: page_text,
      read: (last, count) => listChatsOf(db, userOf(caller), { after: last ?? from, limit: count }),
      textOf: (chat) => JSON.stringify(chatView(chat)),
    })
    return new Reply(`[${texts.join(',')}]`, end && { next: `${end.updated_at}_${end.id}` })
  },
})

/** @throws BadRequest for a text that is no cursor of ours */
function placeOf(cursor: string): ChatPlace {
  const [, updated_at, id] = /^([\dTZ.:-]{1,40})_(\d{1,15})$/.exec(cursor) ?? []
  if (!updated_at) throw noCursor()
  return { updated_at, id: Number(id) }
}
