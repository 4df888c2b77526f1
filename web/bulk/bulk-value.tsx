import { useId, useState } from 'react'
import { Checks } from '#web/parts/checks.tsx'
import { DateInput } from '#web/parts/date-input.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { FieldAround } from '#web/parts/field.tsx'
import { NumberInput } from '#web/parts/number-input.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { faultOfValue, valueFromText, variantNames } from '#web/rules/cell-value.ts'
import type { FieldColumn } from '#web/rules/column.ts'
import { type DateKind, thisReader, typedDate } from '#web/rules/typed-date.ts'
import { thisLocale, typedNumberOf } from '#web/rules/typed-number.ts'
import type { SetEdit } from '#web/bulk/bulk-edit.ts'
import type { ItemsPickerPart } from '#web/bulk/bulk-props.ts'
import css from '#web/bulk/bulk.module.css'

/** What is done with a field: of several values some can be added or taken away. */
type Mode = 'set' | 'add' | 'remove' | 'empty'

interface BulkValueProps {
  column: FieldColumn
  /** undefined: not yet a value. */
  onValue: (value: unknown, how: SetEdit['how']) => void
  ItemsPicker: ItemsPickerPart
}

const MODES: readonly [Mode, string][] = [
  ['set', 'Set to'],
  ['add', 'Add'],
  ['remove', 'Take away'],
  ['empty', 'Empty'],
]

/** The value that all of them get. */
export function BulkValue({ column, onValue, ItemsPicker }: BulkValueProps) {
  const id = useId()
  const [mode, setMode] = useState<Mode>('set')
  const [value, setValue] = useState<unknown>()
  const { type } = column.field
  const isMany = type === 'MultiSelect' || type === 'MultiReference'
  const report = (nextMode: Mode, next: unknown) => {
    setMode(nextMode)
    setValue(next)
    if (nextMode === 'empty') onValue(null, 'set')
    else onValue(next, nextMode)
  }
  const take = (next: unknown) => report(mode, next)
  return (
    <>
      <FieldAround id={id} label="Value">
        <Listbox
          id={id}
          value={mode}
          options={MODES.filter(([each]) => isMany || each === 'set' || each === 'empty')}
          onValue={(next) => report(next, value)}
        />
      </FieldAround>
      {mode !== 'empty' && (
        <div className={css.value}>
          {type === 'Reference' || type === 'MultiReference' ? (
            <ItemsPicker of={column.of} many={isMany} value={value} onValue={take} />
          ) : type === 'MultiSelect' ? (
            <Checks
              label={`New values of ${column.field.name}`}
              names={variantNames(column)}
              chosen={Array.isArray(value) ? value.map(String) : []}
              onChoose={take}
            />
          ) : (
            <One column={column} onValue={take} />
          )}
        </div>
      )}
    </>
  )
}

interface OneProps {
  column: FieldColumn
  onValue: (value: unknown) => void
}

function One({ column, onValue }: OneProps) {
  const { type } = column.field
  const [fault, setFault] = useState<string>()
  const [chosen, setChosen] = useState('')
  const label = `New value of ${column.field.name}`
  if (type === 'Select' || type === 'Boolean')
    return (
      <Listbox
        label={label}
        value={chosen}
        options={(type === 'Select' ? variantNames(column) : ['yes', 'no']).map(
          (name) => [name, name] as const,
        )}
        onValue={(name) => {
          setChosen(name)
          onValue(valueFromText(column, name))
        }}
      />
    )
  if (type === 'Date' || type === 'DateTime') return <OneDate kind={type} label={label} onValue={onValue} />
  if (type === 'Number') return <OneNumber column={column} label={label} onValue={onValue} />
  return (
    <>
      <input
        className={css.input}
        aria-label={label}
        aria-invalid={fault ? true : undefined}
        onChange={({ target }) => {
          const next = valueFromText(column, target.value)
          const wrong = faultOfValue(column, next)
          setFault(wrong)
          onValue(wrong || next === null ? undefined : next)
        }}
      />
      {fault && <FaultLine>{fault}</FaultLine>}
    </>
  )
}

function OneNumber({ column, label, onValue }: OneProps & { label: string }) {
  const { schema } = column.field
  const [text, setText] = useState('')
  const [locale] = useState(thisLocale)
  const read = typedNumberOf(schema, text, { locale, asShown: true })
  return (
    <>
      <NumberInput
        className={css.input}
        label={label}
        schema={schema}
        text={text}
        isFaulty={read.is === 'fault'}
        onText={(next) => {
          setText(next)
          const now = typedNumberOf(schema, next, { locale, asShown: true })
          onValue(now.is === 'value' ? now.value : undefined)
        }}
      />
      {read.is === 'fault' && <FaultLine>{read.message}</FaultLine>}
    </>
  )
}

interface OneDateProps {
  kind: DateKind
  label: string
  onValue: (value: unknown) => void
}

function OneDate({ kind, label, onValue }: OneDateProps) {
  const [reader] = useState(thisReader)
  const [text, setText] = useState('')
  return (
    <DateInput
      kind={kind}
      label={label}
      text={text}
      onText={(next) => {
        setText(next)
        const read = typedDate(kind, next, reader)
        onValue(read.is === 'value' ? read.value : undefined)
      }}
    />
  )
}
