import { type FormEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '#web/parts/icon.tsx'
import { Keys } from '#web/parts/keys.tsx'
import { useActions } from '#web/parts/action.ts'
import css from '#web/home/find-box.module.css'

/** Finds among all items. */
export function FindBox() {
  const [, go] = useLocation()
  const input = useRef<HTMLInputElement>(null)
  useActions([
    { id: 'home.find', title: 'Find items', keys: '/', group: 'Go', run: () => input.current?.focus() },
  ])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current!.value.trim()
    go(text ? `/items?${new URLSearchParams({ q: text })}` : '/items')
  }
  return (
    <form role="search" className={css.box} onSubmit={submit}>
      <Icon name="search" size={18} />
      <input
        ref={input}
        type="search"
        className={css.input}
        aria-label="Find items"
        placeholder="Find items by any word"
        enterKeyHint="search"
      />
      <Keys keys="/" />
    </form>
  )
}
