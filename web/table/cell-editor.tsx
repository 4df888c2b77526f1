import { type KeyboardEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { knownItemName } from '#web/data/item-names.ts'
import { loadedOver } from '#web/parts/loaded.tsx'
import { overPage } from '#web/parts/over-page.ts'
import { faultOfValue, valueFromText, valueText } from '#web/rules/cell-value.ts'
import type { FieldType } from '#web/rules/column.ts'
import { lookOfField } from '#web/rules/shown-value.ts'
import { EditorBox } from '#web/table/editor-box.tsx'
import type { EditorProps, Then } from '#web/table/editor.ts'
import { NumberEditor } from '#web/table/number-editor.tsx'
import { useLeftEditor } from '#web/parts/use-left-editor.ts'
import css from '#web/table/cell-editor.module.css'

const loadList = () => import('#web/table/list-editor.tsx')
const ListEditor = loadedOver(() => loadList().then(({ ListEditor }) => ListEditor))
const loadDate = () => import('#web/table/date-editor.tsx')
const DateEditor = loadedOver(() => loadDate().then(({ DateEditor }) => DateEditor))

const FileEditor = loadedOver(() => import('#web/table/file-editor.tsx').then(({ FileEditor }) => FileEditor))

/** Loads what the first edit would wait for. */
export const warmEditors = (): void => void Promise.all([loadList(), loadDate()]).catch(() => undefined)

/** Characters; longer texts get several lines. */
const LONG = 80

/** The editor that fits the column, over its cell. */
export function CellEditor(props: EditorProps) {
  const type = props.column.kind === 'field' ? props.column.field.type : 'String'
  return createPortal(
    isList(type) ? (
      <ListEditor {...props} />
    ) : type === 'File' ? (
      <FileEditor {...props} />
    ) : type === 'Date' || type === 'DateTime' ? (
      <DateEditor {...props} kind={type} />
    ) : type === 'Number' && props.column.kind === 'field' ? (
      <NumberEditor {...props} column={props.column} />
    ) : (
      <InputEditor {...props} type={type} />
    ),
    overPage(),
  )
}

const isList = (type: FieldType) => /Select|Reference/.test(type)

function InputEditor(props: EditorProps & { type: FieldType }) {
  const { column, name, value, typed, box, type, onSave, onRefuse, onCancel } = props
  const stored = valueText(column, value, (id) => knownItemName(id) ?? id)
  const [text, setText] = useState(typed ?? stored)
  const [fault, setFault] = useState<string>()
  const isLong =
    type === 'String' &&
    column.kind === 'field' &&
    (stored.length > LONG || stored.includes('\n') || lookOfField(column.field.schema).format === 'long')

  const next = valueFromText(column, text)
  const wrong = faultOfValue(column, next)
  const isChanged = text !== stored || typed !== null
  const save = (then: Then, left: boolean) => {
    if (isChanged && wrong && !left) return setFault(wrong)
    end()
    if (!isChanged) onCancel(then)
    else if (wrong) onRefuse(next, wrong)
    else onSave(next, then)
  }
  const end = useLeftEditor({ isChanged, isRight: !wrong, save: () => save('stay', true) })
  const cancel = () => {
    end()
    onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey, altKey } = event
    if (key === 'Escape') cancel()
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
          className={css.input}
          onChange={(event) => change(event.target.value)}
          onFocus={(event) => {
            if (typed === null) event.target.select()
          }}
        />
      )}
    </EditorBox>
  )
}
