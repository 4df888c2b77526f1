import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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

/** One answer at a time: it streams into `turn`, and belongs to the stored messages when it is done. */
export function useTurn(chat_id: string | null, heard: HeardTurn) {
  const client = useQueryClient()
  const [turn, setTurn] = useState<Turn | null>(null)
  const stop = useRef<AbortController>(null)
  const latest = useRef(heard)
  useEffect(() => {
    latest.current = heard
  })
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
      stop.current?.abort()
    }
  }, [])

  const send = async (message: string, previous_response_id?: string): Promise<void> => {
    const control = new AbortController()
    stop.current = control
    const input: ChatTurn = {
      message,
      // Taken up at an earlier answer, it goes on in a chat of its own.
      ...(previous_response_id === undefined ? chat_id !== null && { chat_id } : { previous_response_id }),
    }
    let known = previous_response_id === undefined ? chat_id : null
    let now: Turn = { message, parts: [], fault: null, isRunning: true }
    const show = (changes: Partial<Turn>) => setTurn((now = { ...now, ...changes }))
    show({})
    const begun = new Map<string, number>()
    let isTaken = false
    const begin = (made: string) => {
      known = made
      keepAsked(made)
      moveDraft(chat_id, made)
      void client.invalidateQueries({ queryKey: chatsQuery.queryKey })
      // Anyone who has gone elsewhere stays there.
      if (!hasLeft.current) latest.current.onChat(made)
    }
    if (known !== null) keepAsked(known)
    try {
      await asksFirstKept()
      for await (const event of chatEvents(input, control.signal)) {
        isTaken = true
        if (event.type === 'done' || event.type === 'error') forgetAsked()
        if (event.type === 'chat_session') begin(event.chat_id)
        else if (event.type === 'error') show({ fault: event.message })
        else if (event.type !== 'done') show({ parts: withEvent(now.parts, event, performance.now(), begun) })
      }
    } catch (error) {
      if (!control.signal.aborted) show({ fault: error instanceof Fault ? wordsOf(error) : String(error) })
    }
    stop.current = null
    say(control.signal.aborted ? 'Stopped' : (now.fault ?? 'The assistant has answered'))
    if (known === null) {
      if (!isTaken) latest.current.onRefused(message)
      return show({ isRunning: false })
    }
    // What the service stores, also of an answer that was stopped, it may have a moment later.
    if (control.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 300))
    const stored = await client.fetchQuery({ ...messagesQuery(known), staleTime: 0 }).catch(() => [])
    const said = stored.findLast(({ role }) => role === 'user')?.content
    const isStored = isTaken || said === message
    if (!isStored) latest.current.onRefused(message)
    const last = stored.at(-1)
    if (last?.role === 'assistant' && now.parts.length) keepParts(last.message_id, now.parts)
    void client.invalidateQueries({ queryKey: chatsQuery.queryKey })
    // What its tools changed is seen elsewhere at once.
    if (now.parts.some((part) => part.type === 'tool_call')) void client.invalidateQueries()
    const end = { hasLeft: hasLeft.current, hasBegun: now.parts.length > 0 }
    keepFault(known, now.fault ?? (isStored && control.signal.aborted ? wordsOfEnd(end) : null))
    forgetAsked()
    setTurn(null)
  }
  return {
    turn,
    send: (message: string, previous?: string) => void send(message, previous),
    stop: () => stop.current?.abort(),
    clear: () => setTurn(null),
  }
}

/** What the service suggests of a conflict is for programs, which choose the chat in each call. */
const wordsOf = ({ status, message, suggestion }: Fault) => {
  if (status === 404) return 'This chat has been deleted'
  const way = status === 409 ? 'Wait for the answer, or begin a new chat' : suggestion
  return [message, way].filter(Boolean).join('. ')
}
