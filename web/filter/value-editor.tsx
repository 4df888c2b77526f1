import { useState } from 'react'
import { Checks } from '#web/parts/checks.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { VariantSign } from '#web/parts/variant-sign.tsx'
import { numberFrom } from '#web/rules/cell-value.ts'
import { isTimely, type OperandCount, type SubjectType } from '#web/rules/condition.ts'
import type { FilterField } from '#web/rules/filter-fields.ts'
import { sayTyped, thisReader, typedDate } from '#web/rules/typed-date.ts'
import { ItemsPicker } from '#web/filter/items-picker.tsx'
import { TimeEditor } from '#web/filter/time-editor.tsx'
import css from '#web/filter/condition-editor.module.css'

export interface ValueEditorProps {
  type: SubjectType
  field: FilterField | undefined
  count: Exclude<OperandCount, 'none'>
  value: unknown
  /** undefined: not yet a value. */
  onValue: (value: unknown) => void
}

/** What a field is compared with, by the field's type. */
export function ValueEditor(props: ValueEditorProps) {
  const { type, field, count, value, onValue } = props
  if (type === 'Reference' || type === 'MultiReference')
    return <ItemsPicker of={field?.of ?? []} many={count === 'many'} value={value} onValue={onValue} />
  if ((type === 'Select' || type === 'MultiSelect') && field)
    return count === 'one' ? (
      <Variant {...props} field={field} />
    ) : (
      <Checks
        label="Values"
        names={field.variants}
        chosen={namesOf(value)}
        signOf={signIn(field)}
        onChoose={onValue}
      />
    )
  if (type === 'Boolean' && count === 'one')
    return (
      <Listbox
        label="Value"
        value={value === undefined ? '' : nameOf(value)}
        options={[
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
        onValue={(next) => onValue(next === 'true')}
      />
    )
  if (isTimely(type) && count === 'one') return <TimeEditor type={type} value={value} onValue={onValue} />
  if (isTimely(type)) return <Dates {...props} />
  return count === 'many' ? <Lines {...props} /> : <Text {...props} />
}

type VariantsProps = ValueEditorProps & { field: FilterField }

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'variant' in value ? String(value.variant) : String(value)

const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(nameOf) : value === undefined ? [] : [nameOf(value)]

/** As its cells show it. */
const signIn =
  ({ looks }: FilterField) =>
  (name: string) => {
    const look = looks.find((each) => each.name === name)
    return look && <VariantSign look={look} />
  }

function Variant({ field, value, onValue }: VariantsProps) {
  const name = value === undefined ? '' : nameOf(value)
  return (
    <Listbox
      label="Value"
      value={name}
      placeholder={name || 'Choose'}
      options={field.variants.map((each) => [each, each] as const)}
      signOf={signIn(field)}
      onValue={onValue}
    />
  )
}

function Text({ type, value, onValue }: ValueEditorProps) {
  const [text, setText] = useState(value === undefined ? '' : nameOf(value))
  const isNumber = type === 'Number'
  return (
    <input
      className={css.input}
      aria-label="Value"
      autoFocus={value === undefined}
      inputMode={isNumber ? 'decimal' : undefined}
      value={text}
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        onValue(next === '' ? undefined : fromText(next, isNumber))
      }}
    />
  )
}

/** Several values, one a line. */
function Lines({ type, value, onValue }: ValueEditorProps) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.map(nameOf).join('\n') : ''))
  return (
    <textarea
      className={css.input}
      aria-label="Values, one a line"
      placeholder="One a line"
      rows={4}
      value={text}
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        const lines = next.split('\n').filter((line) => line.trim())
        const values = lines.map((line) =>
          type === 'Boolean' ? /^(?:yes|true)$/i.test(line.trim()) : fromText(line.trim(), type === 'Number'),
        )
        onValue(values.length && !values.includes(undefined) ? values : undefined)
      }}
    />
  )
}

/** Several days or moments, one a line; beneath is what was understood. */
function Dates({ type, value, onValue }: ValueEditorProps) {
  const [reader] = useState(thisReader)
  const [text, setText] = useState(() => (Array.isArray(value) ? value.map(nameOf).join('\n') : ''))
  const kind = type === 'Date' ? 'Date' : 'Any'
  const read = (given: string) =>
    given
      .split('\n')
      .filter((line) => line.trim())
      .map((line) => ({ line, typed: typedDate(kind, line, reader) }))
  return (
    <>
      <textarea
        className={css.input}
        aria-label="Dates, one a line"
        placeholder="One a line"
        rows={4}
        value={text}
        onChange={(event) => {
          const next = event.target.value
          setText(next)
          const values = read(next).map(({ typed }) => (typed.is === 'value' ? typed.value : undefined))
          onValue(values.length && !values.includes(undefined) ? values : undefined)
        }}
      />
      <div className={css.understood} role="status">
        {read(text).map(({ line, typed }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line has no other name than its place
          <p key={i}>
            {typed.is === 'value'
              ? sayTyped(typed.value, reader)
              : `${line.trim()}: ${typed.is === 'fault' ? typed.message : 'it may be several days, write the year'}`}
          </p>
        ))}
      </div>
    </>
  )
}

/** undefined: no number yet. */
function fromText(text: string, isNumber: boolean): unknown {
  if (!isNumber) return text
  const number = numberFrom(text.trim())
  return typeof number === 'number' ? number : undefined
}
