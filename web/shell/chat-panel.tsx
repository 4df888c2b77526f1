import { useState } from 'react'
import { useLocation } from 'wouter'
import { ChatView } from '#web/chat/chat-view.tsx'
import { takeAlong } from '#web/chat/use-turn.ts'
import { LaterProposalCard } from '#web/pages/later-proposal-card.tsx'
import { IconButton } from '#web/parts/button.tsx'
import css from '#web/shell/chat-panel.module.css'

/** The assistant next to any page. */
export function ChatPanel({ onClose }: { onClose: () => void }) {
  const [chat_id, setChat] = useState<string | null>(null)
  const [view, setView] = useState(0)
  const begin = () => {
    setChat(null)
    setView(view + 1)
  }
  const [, go] = useLocation()
  return (
    <aside className={css.panel} aria-label="Assistant">
      <header className={css.header}>
        <h2>Assistant</h2>
        {chat_id !== null && <IconButton icon="plus" label="New chat" onClick={begin} />}
        <IconButton
          icon="external"
          label="Open as a page"
          onClick={() => {
            // An answer goes on there.
            takeAlong(chat_id)
            onClose()
            go(chat_id === null ? '/chat' : `/chat/${chat_id}`)
          }}
        />
        <IconButton icon="close" label="Close the assistant" onClick={onClose} />
      </header>
      <ChatView
        key={view}
        chat_id={chat_id}
        onChat={setChat}
        renderProposal={(proposal_id) => <LaterProposalCard proposal_id={proposal_id} />}
      />
    </aside>
  )
}
