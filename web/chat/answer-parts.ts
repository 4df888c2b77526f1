import type { StoredMessage } from '#web/data/chats-query.ts'
import { type ChatPart, partsOf } from '#web/rules/chat-parts.ts'

/** Answers of this visit, by their message: with results and components, which older messages do not tell. */
const kept = new Map<string, readonly ChatPart[]>()
const MOST = 100

export function keepParts(message_id: string, parts: readonly ChatPart[]): void {
  kept.set(message_id, parts)
  if (kept.size > MOST) kept.delete(kept.keys().next().value!)
}

export const partsOfMessage = (message: StoredMessage): readonly ChatPart[] =>
  kept.get(message.message_id) ?? partsOf(message)

/** Why the last answer of a chat broke off; the page of a new chat gives way to the chat's own. */
let broken: { chat_id: string; fault: string } | undefined

export function keepFault(chat_id: string, fault: string | null): void {
  broken = fault === null ? undefined : { chat_id, fault }
}

export const faultOfChat = (chat_id: string | null): string | null =>
  broken !== undefined && broken.chat_id === chat_id ? broken.fault : null
