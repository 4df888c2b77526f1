import { type KeyboardEvent, useState } from 'react'
import { DateInput } from '#web/parts/date-input.tsx'
import { valueText } from '#web/rules/cell-value.ts'
import { type DateKind, dateText, thisReader, typedDate } from '#web/rules/typed-date.ts'
import { EditorBox } from '#web/table/editor-box.tsx'
import type { EditorProps, Then } from '#web/table/editor.ts'
import css from '#web/table/cell-editor.module.css'

/** Where the words beneath can be read. */
const WIDTH = 270

/** Date and DateTime: what is stored is what is shown as understood, and nothing else. */
export function DateEditor(props: EditorProps & { kind: DateKind }) {
  const { kind, column, name, value, typed, box, onSave, onRefuse, onCancel } = props
  const [reader] = useState(thisReader)
  const [stored] = useState(() =>
    dateText(
      valueText(column, value, (id) => id),
      reader,
    ),
  )
  const [text, setText] = useState(typed ?? stored)
  const [fault, setFault] = useState<string>()

  const save = (then: Then, left: boolean) => {
    if (text === stored) return onCancel(then)
    const read = typedDate(kind, text, reader)
    if (read.is === 'nothing') return onSave(null, then)
    if (read.is === 'value') return onSave(read.value, then)
    const message =
      read.is === 'which' ? 'It may be several days: which one? ↓ and Enter choose' : read.message
    if (left) onRefuse(text, message)
    else setFault(message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey } = event
    if (key === 'Escape') onCancel()
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
        marked={typed === null}
        className={css.input}
        onKeyDown={onKeyDown}
        onBlur={() => save('stay', true)}
      />
    </EditorBox>
  )
}
