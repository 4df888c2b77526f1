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

/** The chat that this tab waits for an answer in: known again when the page is. */
const ASKED = 'facet.asked'

export const keepAsked = (chat_id: string): void => sessionStorage.setItem(ASKED, chat_id)

export const forgetAsked = (): void => sessionStorage.removeItem(ASKED)

const cutOff = (when: string) =>
  `The answer was cut off when ${when}. What had been said is kept: ask for the rest`

/** Why the last answer of a chat was cut off. */
const broken = new Slot('chat_fault', 'account', cutByLoading)

function cutByLoading(): { chat_id: string; fault: string } | null {
  const chat_id = sessionStorage.getItem(ASKED)
  forgetAsked()
  return chat_id === null ? null : { chat_id, fault: cutOff('this page was loaded again') }
}

/** Why an answer that was not heard to its end has ended. */
export const wordsOfEnd = ({ hasLeft, hasBegun }: { hasLeft: boolean; hasBegun: boolean }): string | null => {
  if (hasLeft) return cutOff('this chat was left')
  return hasBegun ? null : 'The answer was stopped before its first word'
}

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
