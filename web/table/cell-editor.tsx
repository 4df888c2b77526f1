import { type KeyboardEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { knownItemName } from '#web/data/item-names.ts'
import { loaded } from '#web/parts/loaded.tsx'
import { faultOfValue, valueFromText, valueText } from '#web/rules/cell-value.ts'
import type { Column, FieldType } from '#web/rules/column.ts'
import { EditorBox } from '#web/table/editor-box.tsx'
import type { EditorProps, Then } from '#web/table/editor.ts'
import css from '#web/table/cell-editor.module.css'

const loadList = () => import('#web/table/list-editor.tsx')
const ListEditor = loaded(() => loadList().then(({ ListEditor }) => ListEditor))

/** Loads what the first edit would wait for. */
export const warmEditors = (): void => void loadList().catch(() => undefined)

/** Characters; longer texts get several lines. */
const LONG = 80

/** The editor that fits the column, over its cell. */
export function CellEditor(props: EditorProps) {
  const type = props.column.kind === 'field' ? props.column.field.type : 'String'
  return createPortal(
    isList(type) ? <ListEditor {...props} /> : <InputEditor {...props} type={type} />,
    document.querySelector('main') ?? document.body,
  )
}

const isList = (type: FieldType) => /Select|Reference/.test(type)

const INPUT_TYPES: Partial<Record<FieldType, string>> = { Date: 'date', DateTime: 'datetime-local' }

function InputEditor(props: EditorProps & { type: FieldType }) {
  const { column, name, value, typed, box, type, onSave, onRefuse, onCancel } = props
  const inputType = INPUT_TYPES[type] ?? 'text'
  const stored = inputText(type, column, value)
  const [text, setText] = useState(typed !== null && inputType === 'text' ? typed : stored)
  const [fault, setFault] = useState<string>()
  const isLong =
    type === 'String' && column.kind === 'field' && (stored.length > LONG || stored.includes('\n'))

  const save = (then: Then, left: boolean) => {
    if (text === stored && typed === null) return onCancel()
    const next = valueFromText(column, text)
    const wrong = faultOfValue(column, next)
    if (!wrong) return onSave(next, then)
    if (left) onRefuse(next, wrong)
    else setFault(wrong)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey, altKey } = event
    if (key === 'Escape') onCancel()
    else if (key === 'Tab') save(shiftKey ? 'left' : 'right', false)
    else if (key === 'Enter' && !(isLong && (altKey || shiftKey))) save(shiftKey ? 'up' : 'down', false)
    else return
    event.preventDefault()
  }
  const label = `${column.label} of ${name}`
  const common = {
    'aria-label': label,
    'aria-invalid': fault ? true : undefined,
    value: text,
    autoFocus: true,
    onKeyDown,
    onBlur: () => save('stay', true),
  }
  const change = (next: string) => {
    setText(next)
    setFault(undefined)
  }
  return (
    <EditorBox box={box} fault={fault} tall={isLong}>
      {isLong ? (
        <textarea
          {...common}
          className={css.text}
          rows={6}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <input
          {...common}
          className={`${css.input} ${type === 'Number' ? css.number : ''}`}
          type={inputType}
          step={type === 'DateTime' ? 'any' : undefined}
          inputMode={type === 'Number' ? 'decimal' : undefined}
          onChange={(event) => change(event.target.value)}
          onFocus={(event) => {
            if (typed === null && inputType === 'text') event.target.select()
          }}
        />
      )}
    </EditorBox>
  )
}

/** A stored value in the form of its input. */
function inputText(type: FieldType, column: Column, value: unknown): string {
  if (type === 'DateTime' && typeof value === 'string') {
    const time = new Date(value)
    if (Number.isNaN(time.getTime())) return value
    // The input speaks of the reader's own clock and knows no offset.
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  }
  return valueText(column, value, (id) => knownItemName(id) ?? id)
}
