import { type KeyboardEvent, useState } from 'react'
import { NumberInput } from '#web/parts/number-input.tsx'
import type { FieldColumn } from '#web/rules/column.ts'
import { valueText } from '#web/rules/cell-value.ts'
import { numberText, thisLocale, typedNumberOf, type TypedNumber } from '#web/rules/typed-number.ts'
import { EditorBox } from '#web/table/editor-box.tsx'
import type { EditorProps, Then } from '#web/table/editor.ts'
import { useLeftEditor } from '#web/parts/use-left-editor.ts'
import css from '#web/table/cell-editor.module.css'

const whyNot = (read: TypedNumber): string =>
  read.is === 'fault' ? read.message : 'It may be two numbers: which one? ↓ and Enter choose'

/** Where the words beneath can be read. */
const WIDTH = 200

/** A number, typed by the person's own signs. What is stored in another form is shown as it is. */
export function NumberEditor({ column, ...props }: EditorProps & { column: FieldColumn }) {
  const { name, value, typed, box, onSave, onRefuse, onCancel } = props
  const { schema } = column.field
  const [locale] = useState(thisLocale)
  const [stored] = useState(() => {
    if (typeof value === 'number') return numberText(schema, value, locale)
    return valueText(column, value, (id) => id)
  })
  const [text, setText] = useState(typed ?? stored)
  const [fault, setFault] = useState<string>()
  const read = typedNumberOf(schema, text, { locale, asShown: true })
  const isChanged = text !== stored
  const isRight = read.is === 'value' || read.is === 'nothing'
  const save = (then: Then, left: boolean) => {
    if (isChanged && !isRight && !left) return setFault(whyNot(read))
    end()
    if (!isChanged) onCancel(then)
    else if (isRight) onSave(read.is === 'value' ? read.value : null, then)
    else onRefuse(text, whyNot(read))
  }
  const end = useLeftEditor({ isChanged, isRight, save: () => save('stay', true) })
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey } = event
    if (key === 'Escape') {
      end()
      onCancel()
    } else if (key === 'Tab') save(shiftKey ? 'left' : 'right', false)
    else if (key === 'Enter') save(shiftKey ? 'up' : 'down', false)
    else return
    event.preventDefault()
  }
  return (
    <EditorBox box={new DOMRect(box.left, box.top, Math.max(box.width, WIDTH), box.height)} fault={fault}>
      <NumberInput
        label={`${column.label} of ${name}`}
        schema={schema}
        text={text}
        onText={(next) => {
          setText(next)
          setFault(undefined)
        }}
        isFaulty={fault !== undefined}
        autoFocus
        marked={typed === null}
        className={`${css.input} ${css.number}`}
        onKeyDown={onKeyDown}
        onBlur={() => save('stay', true)}
      />
    </EditorBox>
  )
}
