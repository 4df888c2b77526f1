import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Item } from '#web/data/item-query.ts'
import type { SavedEdits } from '#web/item/use-saved-edits.ts'
import { useActions } from '#web/parts/action.ts'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { useLeftEditor } from '#web/parts/use-left-editor.ts'
import css from '#web/item/item-name.module.css'

interface ItemNameProps {
  item: Item
  saved: SavedEdits
  mayWrite: boolean
}

/** The heading of the page; pressed, it is edited where it is. */
export function ItemName({ item, saved, mayWrite }: ItemNameProps) {
  const { item_id, name } = item
  const place = { item_id, tag_id: null, field: 'name' }
  const { edits } = saved
  const pending = useSyncExternalStore(edits.subscribe, () => edits.of(place))
  const shown = (pending?.value as string | undefined) ?? name
  const [isEdited, setEdited] = useState(false)
  const [isEmpty, setEmpty] = useState(false)
  // What others call it meanwhile is nothing that was typed here.
  const [opened, setOpened] = useState(name)
  const button = useRef<HTMLButtonElement>(null)

  const close = () => {
    setEmpty(false)
    flushSync(() => setEdited(false))
  }
  const save = (given: string) => {
    // The stored name is nothing new, unless another one is on its way.
    const isStored = given === name && (!pending || pending.fault !== undefined)
    if (!given || isStored || given === opened) return edits.drop(place)
    void saved.save(place, given, `Renamed to ${given}`, {
      value: opened,
      what: 'the name',
      textOf: String,
    })
  }
  const edit = () => {
    setOpened(pending?.fault ? name : shown)
    setEdited(true)
  }
  useActions(
    mayWrite ? [{ id: 'item.rename', title: 'Rename this item', keys: 'f2', group: 'Item', run: edit }] : [],
  )
  const fault = isEmpty ? 'An item needs a name' : pending?.fault?.message
  return (
    <>
      <h1 className={css.heading}>
        {isEdited ? (
          <NameEditor
            label={`Name of ${name}`}
            shown={shown}
            isFaulty={fault !== undefined}
            onSave={save}
            onEmpty={() => setEmpty(true)}
            onClose={(byKey) => {
              close()
              if (byKey) button.current?.focus()
            }}
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

interface NameEditorProps {
  label: string
  shown: string
  isFaulty: boolean
  /** What was typed; nothing where it was left empty. */
  onSave: (name: string) => void
  onEmpty: () => void
  onClose: (byKey: boolean) => void
}

function NameEditor({ label, shown, isFaulty, onSave, onEmpty, onClose }: NameEditorProps) {
  const [before] = useState(shown)
  const [text, setText] = useState(before)
  const isClosed = useRef(false)
  const given = text.trim()
  const end = useLeftEditor({ isChanged: text !== before, isRight: given !== '', save: () => onSave(given) })
  const close = (byKey: boolean) => {
    isClosed.current = true
    end()
    onClose(byKey)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Ctrl Z takes back what was typed, not what was done.
    event.stopPropagation()
    const { key } = event
    if (key !== 'Escape' && key !== 'Enter') return
    event.preventDefault()
    if (key === 'Enter' && !given) return onEmpty()
    close(true)
    if (key === 'Enter') onSave(given)
  }
  return (
    <textarea
      className={css.input}
      aria-label={label}
      aria-invalid={isFaulty ? true : undefined}
      autoFocus
      rows={1}
      value={text}
      onChange={(event) => setText(event.target.value.replaceAll('\n', ' '))}
      onFocus={(event) => event.target.select()}
      onKeyDown={onKeyDown}
      onBlur={() => {
        if (isClosed.current) return
        close(false)
        onSave(given)
      }}
    />
  )
}
