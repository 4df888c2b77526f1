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

/** Milliseconds after which an answer that another window waits for is looked for again. */
const AGAIN = 3000
/** Milliseconds in which a model answers; what has no answer then was stopped before its first word. */
const LONGEST = 600_000

/** Whether the last that was said has no answer yet. */
export function isAwaited(messages: readonly StoredMessage[]): boolean {
  const last = messages.at(-1)
  return last?.role === 'user' && Date.now() - Date.parse(last.created_at) < LONGEST
}

/** What was said in a chat. */
export const messagesQuery = (chat_id: string | null) =>
  queryOptions({
    queryKey: ['messages', chat_id],
    enabled: chat_id !== null,
    queryFn: async ({ signal }) => (await call(listMessages, { chat_id: chat_id! }, { signal })).data,
    staleTime: Infinity,
    // It may have been deleted elsewhere.
    refetchOnMount: 'always',
    // Another window may have gone on with it.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) => data !== undefined && isAwaited(data) && AGAIN,
  })
