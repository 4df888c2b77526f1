import type { StoredMessage } from '#web/data/chats-query.ts'
import { type ChatPart, partsOf } from '#web/rules/chat-parts.ts'
import { KeyedSlot, Slot } from '#web/store.ts'

const MOST = 100

/** Answers of this visit, by their message: with results and components, which older messages do not have. */
const answers = new KeyedSlot<string, readonly ChatPart[]>('chat_answers', 'account', MOST)

export const keepParts = (message_id: string, parts: readonly ChatPart[]): void =>
  answers.set(message_id, parts)

export const partsOfMessage = (message: StoredMessage): readonly ChatPart[] =>
  answers.get(message.message_id) ?? partsOf(message)

/** Why the last answer of a chat was cut off; the page of a new chat gives way to the chat's own. */
const broken = new Slot<{ chat_id: string; fault: string } | null>('chat_fault', 'account', () => null)

export function keepFault(chat_id: string, fault: string | null): void {
  broken.set(fault === null ? null : { chat_id, fault })
}

/** What is being written to a chat; under null to a new one. It outlasts the page. */
const drafts = new KeyedSlot<string | null, string>('chat_drafts', 'account', MOST)

export const draftOf = (chat_id: string | null): string => drafts.get(chat_id) ?? ''

export function keepDraft(chat_id: string | null, text: string): void {
  if (text) drafts.set(chat_id, text)
  else drafts.delete(chat_id)
}

/** What is being written goes along: to a new chat that has its id by now, or to a new one from one that is gone. */
export function moveDraft(from: string | null, to: string | null): void {
  const text = draftOf(from)
  keepDraft(from, '')
  if (text) keepDraft(to, text)
}

export function faultOfChat(chat_id: string | null): string | null {
  const last = broken.get()
  return last?.chat_id === chat_id ? last.fault : null
}
