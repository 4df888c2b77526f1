import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listChats, listMessages } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type Chat = OutputOf<typeof listChats>[number]
export type StoredMessage = OutputOf<typeof listMessages>[number]

/** One's own chats, the newest first. */
export const chatsQuery = queryOptions({
  queryKey: ['chats'],
  queryFn: async ({ signal }) =>
    (await call(listChats, {}, { signal })).data.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at)),
  staleTime: 0,
})

/** What was said in a chat. */
export const messagesQuery = (chat_id: string | null) =>
  queryOptions({
    queryKey: ['messages', chat_id],
    enabled: chat_id !== null,
    queryFn: async ({ signal }) => (await call(listMessages, { chat_id: chat_id! }, { signal })).data,
    staleTime: Infinity,
    // It may have been deleted elsewhere.
    refetchOnMount: 'always',
  })
