import { onSessionState, sessionState } from '#web/api/session-state.ts'
import type { StoredMessage } from '#web/data/chats-query.ts'
import { type ChatPart, partsOf } from '#web/rules/chat-parts.ts'

/** Answers of this visit, by their message: with results and components, which older messages do not have. */
const kept = new Map<string, readonly ChatPart[]>()
const MOST = 100

export function keepParts(message_id: string, parts: readonly ChatPart[]): void {
  kept.set(message_id, parts)
  if (kept.size > MOST) kept.delete(kept.keys().next().value!)
}

export const partsOfMessage = (message: StoredMessage): readonly ChatPart[] =>
  kept.get(message.message_id) ?? partsOf(message)

/** Why the last answer of a chat was cut off; the page of a new chat gives way to the chat's own. */
let broken: { chat_id: string; fault: string } | undefined

export function keepFault(chat_id: string, fault: string | null): void {
  broken = fault === null ? undefined : { chat_id, fault }
}

/** What is being written to a chat; under null to a new one. It outlasts the page. */
const drafts = new Map<string | null, string>()

// The next who signs in is somebody else.
onSessionState(() => {
  if (sessionState() !== 'signed_out') return
  kept.clear()
  drafts.clear()
  broken = undefined
})

export const draftOf = (chat_id: string | null): string => drafts.get(chat_id) ?? ''

export function keepDraft(chat_id: string | null, text: string): void {
  drafts.delete(chat_id)
  if (text) drafts.set(chat_id, text)
  if (drafts.size > MOST) drafts.delete(drafts.keys().next().value!)
}

/** A new chat has its id: what was written meanwhile goes along. */
export function moveDraft(from: string | null, to: string): void {
  const text = draftOf(from)
  keepDraft(from, '')
  if (text) keepDraft(to, text)
}

export const faultOfChat = (chat_id: string | null): string | null =>
  broken !== undefined && broken.chat_id === chat_id ? broken.fault : null
