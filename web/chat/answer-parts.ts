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
