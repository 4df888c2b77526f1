import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { deleteChat, updateChat } from '#web/api/operations.ts'
import { type Chat, chatsQuery } from '#web/data/chats-query.ts'
import { Button, IconButton } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { toast } from '#web/parts/toast.tsx'
import { formText } from '#web/parts/form-text.ts'
import css from '#web/chat/chat-list.module.css'

const Dialog = loadedDialog(() => import('#web/parts/dialog.tsx').then(({ Dialog }) => Dialog))

/** Earlier conversations: opened, renamed, deleted. */
export function ChatList({ open, onGone }: { open: string | null; onGone: () => void }) {
  const client = useQueryClient()
  const { data: chats = [] } = useQuery(chatsQuery)
  const [renamed, setRenamed] = useState<Chat>()
  const [deleted, setDeleted] = useState<Chat>()
  const renew = () => client.invalidateQueries({ queryKey: chatsQuery.queryKey })
  const run = async (change: () => Promise<unknown>) => {
    await change().catch((error: Error) => toast({ text: error.message, kind: 'danger' }))
    await renew()
  }
  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { chat_id } = renamed!
    const title = formText(event.currentTarget, 'title').trim()
    const close = () => setRenamed(undefined)
    if (!title) return close()
    void run(() => call(updateChat, { chat_id, title }).then(close))
  }
  const remove = () => {
    const { chat_id } = deleted!
    setDeleted(undefined)
    if (chat_id === open) onGone()
    void run(() => call(deleteChat, { chat_id }))
  }
  if (!chats.length) return null
  return (
    <nav className={css.chats} aria-label="Chats">
      <h2 className={css.heading}>Your chats</h2>
      <ul>
        {chats.map((chat) => (
          <li key={chat.chat_id} className={css.row}>
            <Link
              href={`/chat/${chat.chat_id}`}
              className={css.link}
              aria-current={chat.chat_id === open ? 'page' : undefined}
            >
              {chat.title}
            </Link>
            <IconButton icon="edit" label={`Rename ${chat.title}`} onClick={() => setRenamed(chat)} />
            <IconButton icon="trash" label={`Delete ${chat.title}`} onClick={() => setDeleted(chat)} />
          </li>
        ))}
      </ul>
      {renamed && (
        <Dialog title="Rename this chat" onClose={() => setRenamed(undefined)}>
          <form className={css.form} onSubmit={rename}>
            <Field label="Title" name="title" defaultValue={renamed.title} maxLength={200} autoFocus />
            <Button kind="primary" type="submit">
              Rename
            </Button>
          </form>
        </Dialog>
      )}
      {deleted && (
        <Dialog
          title={`Delete “${deleted.title}”?`}
          onClose={() => setDeleted(undefined)}
          footer={
            <>
              <Button onClick={() => setDeleted(undefined)}>Cancel</Button>
              <Button kind="danger" onClick={remove}>
                Delete it for good
              </Button>
            </>
          }
        >
          <p>The conversation goes for good. What it changed in the base stays.</p>
        </Dialog>
      )}
    </nav>
  )
}
