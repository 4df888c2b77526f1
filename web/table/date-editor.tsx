import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { DateInput } from '#web/parts/date-input.tsx'
import { takeTyped } from '#web/parts/typed-ahead.ts'
import { valueText } from '#web/rules/cell-value.ts'
import { type DateKind, dateText, thisReader, type TypedDate, typedDate } from '#web/rules/typed-date.ts'
import { EditorBox } from '#web/table/editor-box.tsx'
import type { EditorProps, Then } from '#web/table/editor.ts'
import { useLeftEditor } from '#web/parts/use-left-editor.ts'
import css from '#web/table/cell-editor.module.css'

const whyNot = (read: TypedDate): string =>
  read.is === 'fault' ? read.message : 'It may be several days: which one? ↓ and Enter choose'

/** Where the words beneath can be read. */
const WIDTH = 270

/** Date and DateTime: what is stored is what is shown as understood, and nothing else. */
export function DateEditor(props: EditorProps & { kind: DateKind }) {
  const { kind, column, name, value, typed, asked, box, onSave, onRefuse, onCancel } = props
  const [reader] = useState(thisReader)
  const [stored] = useState(() =>
    dateText(
      valueText(column, value, (id) => id),
      reader,
    ),
  )
  const [text, setText] = useState(typed ?? stored)
  const [fault, setFault] = useState<string>()

  const read = typedDate(kind, text, reader)
  const isChanged = text !== stored
  const isRight = read.is === 'value' || read.is === 'nothing'
  const save = (then: Then, left: boolean) => {
    const ahead = takeTyped()
    if (isChanged && !isRight && !left) {
      setText(text + ahead)
      return setFault(whyNot(read))
    }
    end()
    if (!isChanged) onCancel(then, ahead)
    else if (isRight) onSave(read.is === 'value' ? read.value : null, then, ahead)
    else onRefuse(text, whyNot(read))
  }
  const end = useLeftEditor({ isChanged, isRight, save: () => save('stay', true) })
  const saveNow = useEffectEvent(save)
  useEffect(() => {
    if (asked === undefined) return
    const timer = setTimeout(() => saveNow(asked, false))
    return () => clearTimeout(timer)
  }, [asked])
  const cancel = () => {
    end()
    onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey } = event
    if (key === 'Escape') cancel()
    else if (key === 'Tab') save(shiftKey ? 'left' : 'right', false)
    else if (key === 'Enter') save(shiftKey ? 'up' : 'down', false)
    else return
    event.preventDefault()
  }
  return (
    <EditorBox box={new DOMRect(box.left, box.top, Math.max(box.width, WIDTH), box.height)} fault={fault}>
      <DateInput
        kind={kind}
        label={`${column.label} of ${name}`}
        text={text}
        onText={(next) => {
          setText(next)
          setFault(undefined)
        }}
        isFaulty={fault !== undefined}
        autoFocus
        isBare
        marked={typed === null}
        className={css.input}
        onKeyDown={onKeyDown}
        onBlur={() => save('stay', true)}
      />
    </EditorBox>
  )
}
