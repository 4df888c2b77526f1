import { type MouseEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useParams, useSearch } from 'wouter'
import { ChatList } from '#web/chat/chat-list.tsx'
import { ChatView } from '#web/chat/chat-view.tsx'
import { LaterItemBeside } from '#web/pages/later-item-beside.tsx'
import { LaterProposalCard } from '#web/pages/later-proposal-card.tsx'
import { Button } from '#web/parts/button.tsx'
import css from '#web/pages/chat-page.module.css'

/** Narrower windows have no room alongside: there an item is a page. */
const WITH_ROOM = '(min-width: 1001px)'

/** The assistant over a whole page: `/chat` and `/chat/:id`; items that it names open next to it. */
export function ChatPage() {
  const { id } = useParams<{ id?: string }>()
  const chat_id = id?.toUpperCase() ?? null
  const [path, go] = useLocation()
  const { view, become } = useView(chat_id)
  const item_id = new URLSearchParams(useSearch()).get('item')
  const openBeside = (event: MouseEvent) => {
    const link = (event.target as HTMLElement).closest('a')
    const [, named] = /^\/items\/(\w{26})$/.exec(link?.getAttribute('href') ?? '') ?? []
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!named || !isPlain || !matchMedia(WITH_ROOM).matches) return
    event.preventDefault()
    go(`${path}?item=${named}`)
  }
  return (
    <div
      className={css.page}
      data-open={chat_id !== null || undefined}
      data-beside={item_id !== null || undefined}
    >
      <header className={css.header}>
        <h1>Assistant</h1>
        {chat_id !== null && (
          <Button icon="plus" onClick={() => go('/chat')}>
            New chat
          </Button>
        )}
      </header>
      <div className={css.chat} onClickCapture={openBeside}>
        <ChatView
          key={view}
          chat_id={chat_id}
          onChat={(made) => {
            become(made)
            go(`/chat/${made}`)
          }}
          renderProposal={(proposal_id) => <LaterProposalCard proposal_id={proposal_id} />}
        />
      </div>
      {item_id === null ? (
        <div className={css.list}>
          <ChatList open={chat_id} onGone={() => go('/chat')} />
        </div>
      ) : (
        <LaterItemBeside item_id={item_id} onClose={() => go(path)} />
      )}
    </div>
  )
}

/** Another chat has another view; what is being said goes on in the one where its chat was made. */
function useView(chat_id: string | null) {
  const [{ view, at, next }, set] = useState({ view: 0, at: chat_id, next: chat_id })
  if (chat_id !== at) set({ view: chat_id === next ? view : view + 1, at: chat_id, next: chat_id })
  // Shown before the address is another one.
  const become = (made: string) => flushSync(() => set((now) => ({ ...now, next: made })))
  return { view, become }
}
