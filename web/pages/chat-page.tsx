import { useLocation, useParams } from 'wouter'
import { ChatList } from '#web/chat/chat-list.tsx'
import { ChatView } from '#web/chat/chat-view.tsx'
import { Button } from '#web/parts/button.tsx'
import css from '#web/pages/chat-page.module.css'

/** The assistant over a whole page: `/chat` and `/chat/:id`. */
export function ChatPage() {
  const { id } = useParams<{ id?: string }>()
  const chat_id = id?.toUpperCase() ?? null
  const [, go] = useLocation()
  return (
    <div className={css.page} data-open={chat_id !== null || undefined}>
      <header className={css.header}>
        <h1>Assistant</h1>
        {chat_id !== null && (
          <Button icon="plus" onClick={() => go('/chat')}>
            New chat
          </Button>
        )}
      </header>
      <div className={css.chat}>
        <ChatView key={chat_id ?? 'new'} chat_id={chat_id} onChat={(made) => go(`/chat/${made}`)} />
      </div>
      <div className={css.list}>
        <ChatList open={chat_id} onGone={() => go('/chat')} />
      </div>
    </div>
  )
}
