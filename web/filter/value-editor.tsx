import { useState } from 'react'
import { Checks } from '#web/parts/checks.tsx'
import { NumberInput } from '#web/parts/number-input.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { VariantSign } from '#web/parts/variant-sign.tsx'
import type { FieldSchema } from '#web/rules/column.ts'
import { isTimely, type OperandCount, type SubjectType } from '#web/rules/condition.ts'
import type { FilterField } from '#web/rules/filter-fields.ts'
import { sayTyped, thisReader, typedDate } from '#web/rules/typed-date.ts'
import { numberText, thisLocale, typedNumberOf } from '#web/rules/typed-number.ts'
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
  if (type === 'Boolean') return <Answers {...props} />
  if (isTimely(type) && count === 'one') return <TimeEditor type={type} value={value} onValue={onValue} />
  if (isTimely(type)) return <Dates {...props} />
  if (type === 'Number') return count === 'many' ? <Numbers {...props} /> : <OneNumber {...props} />
  return count === 'many' ? <Lines {...props} /> : <Text {...props} />
}

const [YES, NO] = ['Yes', 'No'] as const

/** Which of the two; what else a list in JSON may hold is none of them. */
function Answers({ value, onValue }: ValueEditorProps) {
  const given = Array.isArray(value) ? (value as unknown[]) : [value]
  return (
    <Checks
      label="Values"
      names={[YES, NO]}
      chosen={[...(given.includes(true) ? [YES] : []), ...(given.includes(false) ? [NO] : [])]}
      onChoose={(names) => onValue(names?.map((name) => name === YES))}
    />
  )
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

function Text({ value, onValue }: ValueEditorProps) {
  const [text, setText] = useState(value === undefined ? '' : nameOf(value))
  return (
    <input
      className={css.input}
      aria-label="Value"
      autoFocus={value === undefined}
      value={text}
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        onValue(next === '' ? undefined : next)
      }}
    />
  )
}

/** What a Number that is not a field's would be. */
const PLAIN: FieldSchema = 'Number'

const written = (schema: FieldSchema, value: unknown, locale: string) =>
  typeof value === 'number' ? numberText(schema, value, locale) : nameOf(value)

function OneNumber({ field, value, onValue }: ValueEditorProps) {
  const schema = field?.schema ?? PLAIN
  const [locale] = useState(thisLocale)
  const [text, setText] = useState(value === undefined ? '' : written(schema, value, locale))
  return (
    <div className={css.numbers}>
      <NumberInput
        className={css.input}
        label="Value"
        schema={schema}
        autoFocus={value === undefined}
        text={text}
        onText={(next) => {
          setText(next)
          const read = typedNumberOf(schema, next, { locale, asShown: true })
          onValue(read.is === 'value' ? read.value : undefined)
        }}
      />
    </div>
  )
}

/** Several values, one a line. */
function Lines({ value, onValue }: ValueEditorProps) {
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
        const values = next.split('\n').flatMap((line) => line.trim() || [])
        onValue(values.length ? values : undefined)
      }}
    />
  )
}

interface Line {
  /** undefined: not yet a value. */
  value: unknown
  /** What was understood, or why nothing was. */
  says: string
}

interface ReadLinesProps extends ValueEditorProps {
  label: string
  write: (value: unknown) => string
  read: (line: string) => Line
}

/** Several values, one a line; beneath is what was understood. */
function ReadLines({ label, value, onValue, write, read }: ReadLinesProps) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.map(write).join('\n') : ''))
  const lines = (given: string) =>
    given
      .split('\n')
      .filter((line) => line.trim())
      .map((line) => read(line.trim()))
  return (
    <>
      <textarea
        className={css.input}
        aria-label={`${label}, one a line`}
        placeholder="One a line"
        rows={4}
        value={text}
        onChange={(event) => {
          const next = event.target.value
          setText(next)
          const values = lines(next).map((line) => line.value)
          onValue(values.length && !values.includes(undefined) ? values : undefined)
        }}
      />
      <div className={css.understood} role="status">
        {lines(text).map(({ says }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line has no other name than its place
          <p key={i}>{says}</p>
        ))}
      </div>
    </>
  )
}

function Dates(props: ValueEditorProps) {
  const [reader] = useState(thisReader)
  const kind = props.type === 'Date' ? 'Date' : 'Any'
  const read = (line: string): Line => {
    const typed = typedDate(kind, line, reader)
    if (typed.is === 'value') return { value: typed.value, says: sayTyped(typed.value, reader) }
    const why = typed.is === 'fault' ? typed.message : 'it may be several days, write the year'
    return { value: undefined, says: `${line}: ${why}` }
  }
  return <ReadLines {...props} label="Dates" write={nameOf} read={read} />
}

function Numbers(props: ValueEditorProps) {
  const schema = props.field?.schema ?? PLAIN
  const [locale] = useState(thisLocale)
  const say = (value: unknown) => written(schema, value, locale)
  const read = (line: string): Line => {
    const typed = typedNumberOf(schema, line, { locale, asShown: true })
    if (typed.is === 'value') return { value: typed.value, says: say(typed.value) }
    if (typed.is !== 'which') return { value: undefined, says: typed.is === 'fault' ? typed.message : '' }
    const either = typed.values.map(say).join(' or ')
    return { value: undefined, says: `${line}: it may be ${either}, write it without thousands` }
  }
  return <ReadLines {...props} label="Values" write={say} read={read} />
}
