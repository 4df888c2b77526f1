import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Item } from '#web/data/item-query.ts'
import type { SavedEdits } from '#web/item/use-saved-edits.ts'
import { useActions } from '#web/parts/action.ts'
import { FaultLine } from '#web/parts/fault-line.tsx'
import css from '#web/item/item-name.module.css'

const MOST = 10_000

interface ItemNameProps {
  item: Item
  saved: SavedEdits
  mayWrite: boolean
}

/** The heading of the page; pressed, it is edited where it is. */
export function ItemName({ item, saved, mayWrite }: ItemNameProps) {
  const { item_id, name } = item
  const place = { item_id, tag_id: null, field: 'name' }
  const pending = saved.edits.of(place)
  const shown = (pending?.value as string | undefined) ?? name
  const [text, setText] = useState<string | null>(null)
  const [isEmpty, setEmpty] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const done = useRef(false)

  const close = () => {
    done.current = true
    setEmpty(false)
    flushSync(() => setText(null))
  }
  const save = (left: boolean) => {
    if (done.current || text === null) return
    const given = text.trim()
    if (!given && !left) return setEmpty(true)
    close()
    if (!given || given === name) return saved.edits.drop(place)
    void saved.save(place, given, `Renamed to ${given}`)
  }
  const edit = () => {
    done.current = false
    setText(shown)
  }
  useActions(
    mayWrite ? [{ id: 'item.rename', title: 'Rename this item', keys: 'f2', group: 'Item', run: edit }] : [],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    // Ctrl Z takes back what was typed, not what was done.
    event.stopPropagation()
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter') save(false)
    else return
    event.preventDefault()
    button.current?.focus()
  }
  const fault = isEmpty ? 'An item needs a name' : pending?.fault?.message
  return (
    <>
      <h1 className={css.heading}>
        {text !== null ? (
          <textarea
            className={css.input}
            aria-label={`Name of ${name}`}
            aria-invalid={fault ? true : undefined}
            autoFocus
            rows={1}
            maxLength={MOST}
            value={text}
            onChange={(event) => setText(event.target.value.replaceAll('\n', ' '))}
            onFocus={(event) => event.target.select()}
            onKeyDown={onKeyDown}
            onBlur={() => save(true)}
          />
        ) : mayWrite ? (
          <button ref={button} type="button" className={css.name} title="Rename (F2)" onClick={edit}>
            {shown}
          </button>
        ) : (
          shown
        )}
      </h1>
      {fault && <FaultLine>{fault}</FaultLine>}
    </>
  )
}
