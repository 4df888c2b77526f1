import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { chatEvents, type ChatTurn } from '#web/api/chat-stream.ts'
import {
  forgetAsked,
  keepAsked,
  keepFault,
  keepParts,
  moveDraft,
  wordsOfEnd,
} from '#web/chat/answer-parts.ts'
import { Fault } from '#web/api/fault.ts'
import { asksFirstKept } from '#web/data/asks-first.ts'
import { chatsQuery, messagesQuery } from '#web/data/chats-query.ts'
import { say } from '#web/parts/live-region.tsx'
import { type ChatPart, withEvent } from '#web/rules/chat-parts.ts'
import { Slot } from '#web/store.ts'

/** What is being said now. */
export interface Turn {
  message: string
  parts: readonly ChatPart[]
  fault: string | null
  isRunning: boolean
}

interface HeardTurn {
  /** It has been made for what is said, which goes on. */
  onChat: (chat_id: string) => void
  /** The service has not taken it: it is the person's again. */
  onRefused: (message: string) => void
}

/** An answer under way, with the view that shows it: another one may take it over. */
interface Running {
  /** null: no chat has been made for it yet. */
  chat_id: string | null
  now: Turn
  control: AbortController
  /** Nobody shows it any more. */
  isLeft: boolean
  heard: () => HeardTurn
  show: (turn: Turn | null) => void
}

const allRunning = new Slot<readonly Running[]>('chat_running', 'account', () => [])
/** The one that goes along to another view, with the chat that is opened there. */
const goingAlong = new Slot<{ running: Running; to: string | null } | null>(
  'chat_going_along',
  'account',
  () => null,
)

/** The view that a chat is opened in next goes on with the answer that streams in the one that shows it now. */
export function takeAlong(chat_id: string | null): void {
  const running = allRunning.get().find((each) => !each.isLeft && each.chat_id === chat_id)
  goingAlong.set(running ? { running, to: chat_id } : null)
}

const cameAlong = (chat_id: string | null): Running | null => {
  const along = goingAlong.get()
  return along && along.to === chat_id ? along.running : null
}

/** One answer at a time: it streams into `turn`, and belongs to the stored messages when it is done. */
export function useTurn(chat_id: string | null, heard: HeardTurn) {
  const client = useQueryClient()
  const [turn, setTurn] = useState<Turn | null>(() => cameAlong(chat_id)?.now ?? null)
  const running = useRef<Running>(null)
  const latest = useRef(heard)
  useEffect(() => {
    latest.current = heard
  })
  const takeUp = useEffectEvent(() => {
    const along = cameAlong(chat_id)
    if (!along) return
    goingAlong.empty()
    if (!allRunning.get().includes(along)) return setTurn(null)
    Object.assign(along, {
      isLeft: false,
      heard: () => latest.current,
      show: setTurn,
    } satisfies Partial<Running>)
    running.current = along
    setTurn(along.now)
    if (along.chat_id !== null && along.chat_id !== chat_id) latest.current.onChat(along.chat_id)
  })
  useEffect(() => {
    takeUp()
    return () => {
      const left = running.current
      if (!left) return
      left.isLeft = true
      if (goingAlong.get()?.running !== left) left.control.abort()
    }
  }, [])

  const send = (message: string, previous_response_id?: string): void => {
    const input: ChatTurn = {
      message,
      // Taken up at an earlier answer, it goes on in a chat of its own.
      ...(previous_response_id === undefined ? chat_id !== null && { chat_id } : { previous_response_id }),
    }
    running.current = {
      chat_id: previous_response_id === undefined ? chat_id : null,
      now: { message, parts: [], fault: null, isRunning: true },
      control: new AbortController(),
      isLeft: false,
      heard: () => latest.current,
      show: setTurn,
    }
    void runTurn(running.current, { input, client, from: chat_id })
  }
  return {
    turn,
    send,
    stop: () => running.current?.control.abort(),
    clear: () => setTurn(null),
  }
}

interface Asked {
  input: ChatTurn
  client: QueryClient
  /** The chat that it was said in. */
  from: string | null
}

async function runTurn(running: Running, asked: Asked): Promise<void> {
  allRunning.update((all) => [...all, running])
  try {
    await answerTurn(running, asked)
  } finally {
    allRunning.update((all) => all.filter((each) => each !== running))
  }
}

async function answerTurn(running: Running, { input, client, from }: Asked): Promise<void> {
  const { message } = input
  const { signal } = running.control
  const show = (changes: Partial<Turn>) => running.show((running.now = { ...running.now, ...changes }))
  show({})
  const begun = new Map<string, number>()
  let isTaken = false
  const begin = (made: string) => {
    running.chat_id = made
    keepAsked(made)
    moveDraft(from, made)
    void client.invalidateQueries({ queryKey: chatsQuery.queryKey })
    // Anyone who has gone elsewhere stays there.
    if (!running.isLeft) running.heard().onChat(made)
  }
  if (running.chat_id !== null) keepAsked(running.chat_id)
  try {
    await asksFirstKept()
    for await (const event of chatEvents(input, signal)) {
      isTaken = true
      if (event.type === 'done' || event.type === 'error') forgetAsked()
      if (event.type === 'chat_session') begin(event.chat_id)
      else if (event.type === 'error') show({ fault: event.message })
      else if (event.type !== 'done')
        show({ parts: withEvent(running.now.parts, event, performance.now(), begun) })
    }
  } catch (error) {
    if (!signal.aborted) show({ fault: error instanceof Fault ? wordsOf(error) : String(error) })
  }
  say(signal.aborted ? 'Stopped' : (running.now.fault ?? 'The assistant has answered'))
  const { chat_id: known } = running
  if (known === null) {
    if (!isTaken) running.heard().onRefused(message)
    return show({ isRunning: false })
  }
  // What the service stores, also of an answer that was stopped, it may have a moment later.
  if (signal.aborted) await new Promise((resolve) => setTimeout(resolve, 300))
  const stored = await client.fetchQuery({ ...messagesQuery(known), staleTime: 0 }).catch(() => [])
  const said = stored.findLast(({ role }) => role === 'user')?.content
  const isStored = isTaken || said === message
  if (!isStored) running.heard().onRefused(message)
  const last = stored.at(-1)
  const { parts, fault } = running.now
  if (last?.role === 'assistant' && parts.length) keepParts(last.message_id, parts)
  void client.invalidateQueries({ queryKey: chatsQuery.queryKey })
  // What its tools changed is seen elsewhere at once.
  if (parts.some((part) => part.type === 'tool_call')) void client.invalidateQueries()
  const end = { hasLeft: running.isLeft, hasBegun: parts.length > 0 }
  keepFault(known, fault ?? (isStored && signal.aborted ? wordsOfEnd(end) : null))
  forgetAsked()
  running.show(null)
}

/** What the service suggests of a conflict is for programs, which choose the chat in each call. */
const wordsOf = ({ status, message, suggestion }: Fault) => {
  if (status === 404) return 'This chat has been deleted'
  const way = status === 409 ? 'Wait for the answer, or begin a new chat' : suggestion
  return [message, way].filter(Boolean).join('. ')
}
