import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { Fault } from '#web/api/fault.ts'
import { useAsksFirst } from '#web/data/asks-first.ts'
import { isAwaited, messagesQuery } from '#web/data/chats-query.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { draftOf, faultOfChat, keepDraft, moveDraft, partsOfMessage } from '#web/chat/answer-parts.ts'
import { MessageParts } from '#web/chat/message-parts.tsx'
import { useTurn } from '#web/chat/use-turn.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { tooLongWords } from '#web/parts/invalid-words.ts'
import { Note } from '#web/parts/note.tsx'
import { takeLines } from '#web/parts/typed-ahead.ts'
import { useHeldPage } from '#web/parts/use-leave-guard.ts'
import { questionsFor } from '#web/rules/chat-parts.ts'
import css from '#web/chat/chat-view.module.css'

interface ChatViewProps {
  /** Null: a new one. */
  chat_id: string | null
  /** It has been made, or taken up elsewhere: the same view goes on with it. */
  onChat: (chat_id: string) => void
  /** What a tool proposed in place of a change. */
  renderProposal: (proposal_id: string) => ReactNode
}

const MOST = 100_000
/** Behind all that is there. */
const END = 2 ** 31 - 1

/** Enter sends nothing before the conversation is there: what was typed before and after it is lines of one message. */
const typedBefore = (): string => {
  const { typed, lines } = takeLines()
  return [...lines, typed].join('\n')
}

/** A conversation with the assistant. */
export function ChatView({ chat_id, onChat, renderProposal }: ChatViewProps) {
  const service = useQuery(serviceQuery).data
  const [from, setFrom] = useState<string | null>(null)
  const [text, show] = useState(() => draftOf(chat_id) + typedBefore())
  const setText = (next: string) => {
    keepDraft(chat_id, next)
    show(next)
  }
  // Before what was begun meanwhile.
  const giveBack = (message: string) => setText([message, draftOf(chat_id)].filter(Boolean).join('\n'))
  const client = useQueryClient()
  const begin = (made: string) => {
    // What led to it is shown until it is stored whole.
    if (from !== null) client.setQueryData(messagesQuery(made).queryKey, messages)
    setFrom(null)
    onChat(made)
  }
  const { turn, send, stop, clear } = useTurn(chat_id, { onChat: begin, onRefused: giveBack })
  const isRunning = turn?.isRunning === true
  // What is being said now is shown by its turn until it is stored whole.
  const stored = useQuery({ ...messagesQuery(chat_id), enabled: chat_id !== null && !isRunning })
  useHeldPage(text.trim() !== '' || isRunning)
  const end = useRef<HTMLDivElement>(null)
  const { follows, onScroll } = useFollowed(end)
  const composer = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  // A text that is there from the beginning would have the caret before it.
  useLayoutEffect(() => composer.current?.setSelectionRange(END, END), [])
  const isGone = stored.error instanceof Fault && stored.error.status === 404
  const all = (!isGone && stored.data) || []
  const cut = from === null ? -1 : all.findIndex(({ message_id }) => message_id === from)
  const messages = cut < 0 ? all : all.slice(0, cut + 1)
  const fault = turn ? turn.fault : faultOfChat(chat_id)
  const length = messages.length
  useEffect(() => {
    if (follows.current) end.current?.scrollIntoView({ block: 'end' })
  }, [length, turn, follows])
  if (service && !service.chat.configured) return <NoModel />

  const say = (message: string) => {
    composer.current?.focus()
    follows.current = true
    clear()
    setText('')
    send(message, from ?? undefined)
  }
  const tooLong = tooLongWords(text.trim(), MOST)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !tooLong && !turn?.isRunning) say(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <div className={css.chat}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <div className={css.messages} tabIndex={0} role="log" aria-label="Conversation" onScroll={onScroll}>
        {!messages.length && !turn && chat_id === null && <Beginning onAsk={say} />}
        {stored.error &&
          (isGone ? (
            <Gone onLeave={() => moveDraft(chat_id, null)} />
          ) : (
            <Note kind="danger">{stored.error.message}</Note>
          ))}
        {messages.map((message, i) =>
          message.role === 'user' ? (
            <Said key={message.message_id} text={message.content} />
          ) : (
            <article key={message.message_id} className={css.answer} aria-label="Answer">
              <MessageParts parts={partsOfMessage(message)} renderProposal={renderProposal} />
              {i < messages.length - 1 && !turn?.isRunning && (
                <Button
                  kind="quiet"
                  icon="undo"
                  className={css.from}
                  onClick={() => setFrom(message.message_id)}
                >
                  Go on from here
                </Button>
              )}
            </article>
          ),
        )}
        {turn && (
          <>
            {turn.isRunning && <Said text={turn.message} />}
            {turn.isRunning && (
              <article className={css.answer} aria-label="Answer" aria-busy>
                <MessageParts parts={turn.parts} renderProposal={renderProposal} />
                {!turn.parts.length && <p className={css.thinking}>Thinking…</p>}
              </article>
            )}
          </>
        )}
        {!turn && fault === null && isAwaited(messages) && (
          <p className={css.thinking}>No answer yet. It comes here once the assistant has finished it.</p>
        )}
        {fault !== null && !isGone && <Note kind="danger">{fault}</Note>}
        <div ref={end} />
      </div>
      {from !== null && (
        <Note icon="undo">
          <p>
            What you say next goes on from this answer, in a chat of its own.{' '}
            <Button kind="quiet" onClick={() => setFrom(null)}>
              Show all again
            </Button>
          </p>
        </Note>
      )}
      <form className={css.form} onSubmit={submit}>
        <textarea
          ref={composer}
          autoFocus
          className={css.input}
          aria-label="Message to the assistant"
          placeholder="Ask, or say what to do"
          rows={2}
          aria-invalid={tooLong ? true : undefined}
          aria-describedby={tooLong && `${id}-fault`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {turn?.isRunning ? (
          <Button
            icon="stop"
            onClick={() => {
              stop()
              composer.current?.focus()
            }}
          >
            Stop
          </Button>
        ) : (
          <Button
            kind="primary"
            type="submit"
            icon="arrow_up"
            disabled={!text.trim() || tooLong !== undefined}
          >
            Send
          </Button>
        )}
        {tooLong && (
          <FaultLine id={`${id}-fault`} className={css.fault}>
            {tooLong}. Shorten it, or say it in parts
          </FaultLine>
        )}
        <AskFirst />
      </form>
    </div>
  )
}

/** Pixels from the end of a conversation that are still its end. */
const NEAR_END = 40

/** Whether what comes is scrolled to: until the person scrolls up, and again when they are back at the end. */
function useFollowed(end: RefObject<HTMLElement | null>) {
  const follows = useRef(true)
  useEffect(() => {
    // A phone's keys take half of the window.
    const follow = () => {
      if (follows.current) end.current?.scrollIntoView({ block: 'end' })
    }
    addEventListener('resize', follow)
    return () => removeEventListener('resize', follow)
  }, [end])
  const top = useRef(0)
  const onScroll = ({ currentTarget }: UIEvent) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) follows.current = true
    // What grows moves the end away, and nothing up.
    else if (scrollTop < top.current) follows.current = false
    top.current = scrollTop
  }
  return { follows, onScroll }
}

/** What was being written goes along to the new one. */
function Gone({ onLeave }: { onLeave: () => void }) {
  return (
    <Note kind="danger">
      <p>
        This chat has been deleted.{' '}
        <Link href="/chat" onClick={onLeave}>
          Begin a new one
        </Link>
      </p>
    </Note>
  )
}

/** Whether what the assistant would change waits for a decision. */
function AskFirst() {
  const [asks, choose] = useAsksFirst()
  return (
    <label className={css.asks}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={asks}
        checked={asks}
        onChange={({ target }) => void choose(target.checked)}
      />
      Ask before changing
      <span className={css.meaning}>
        {asks ? 'Its changes wait for your decision' : 'It makes changes at once'}
      </span>
    </label>
  )
}

const Said = ({ text }: { text: string }) => <p className={css.said}>{text}</p>

function Beginning({ onAsk }: { onAsk: (question: string) => void }) {
  const tags = useTags()
  if (!tags) return null
  return (
    <div className={css.beginning}>
      <p>
        It knows your tags, finds and changes items, and draws what it finds. It changes at most 100 items at
        once.
      </p>
      <ul>
        {questionsFor(tags).map((question) => (
          <li key={question}>
            <Button onClick={() => onAsk(question)} className={css.question}>
              {question}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function NoModel() {
  return (
    <EmptyState icon="sparkle" title="No model is set up">
      <p>
        The operator of this service sets <code>LLM_PROVIDER</code> (openai, anthropic or openai-compatible)
        and <code>LLM_API_KEY</code>, or <code>LLM_BASE_URL</code> of a model of one’s own, and starts it
        again.
      </p>
      <p>
        Agents that bring their own model can be connected without:{' '}
        <a href="/settings/agents">Connect an agent</a>.
      </p>
    </EmptyState>
  )
}
