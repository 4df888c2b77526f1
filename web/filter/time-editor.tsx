import { useEffect, useRef, useState } from 'react'
import { DateInput } from '#web/parts/date-input.tsx'
import { WholeNumber } from '#web/filter/whole-number.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import type { SubjectType } from '#web/rules/condition.ts'
import { dateText, thisReader, typedDate } from '#web/rules/typed-date.ts'
import css from '#web/filter/condition-editor.module.css'

interface TimeEditorProps {
  type: SubjectType
  value: unknown
  onValue: (value: unknown) => void
}

const RELATIVE: readonly [days: number, words: string][] = [
  [0, 'Today'],
  [1, 'Tomorrow'],
  [-1, 'Yesterday'],
  [7, 'In 7 days'],
  [-7, '7 days ago'],
  [30, 'In 30 days'],
  [-30, '30 days ago'],
]

/** A date, or one that goes along with today and stays so in views. */
export function TimeEditor({ type, value, onValue }: TimeEditorProps) {
  const today = partOf(value, 'today')
  const now = partOf(value, 'now')
  const days = typeof today === 'number' ? today : undefined
  // As it was chosen: what is typed may be no value yet, or one that is listed.
  const [kind, setKind] = useState(() =>
    now !== undefined ? 'now' : days === undefined ? 'date' : isListed(days) ? String(days) : 'days',
  )
  const take = (next: string) => {
    setKind(next)
    if (next === 'date') onValue(undefined)
    else if (next === 'days') onValue({ today: 14 })
    else if (next === 'now') onValue({ now: '-PT24H' })
    else onValue({ today: Number(next) })
  }
  return (
    <div className={css.row}>
      <Listbox
        label="When"
        value={kind}
        options={[
          ['date', 'A date'],
          ...RELATIVE.map(([each, words]) => [String(each), words] as const),
          ['days', 'This many days from today'],
          ...(type === 'Date' ? [] : [['now', 'A time from now'] as const]),
        ]}
        onValue={take}
      />
      {kind === 'date' && <ADate type={type} value={value} onValue={onValue} />}
      {kind === 'days' && (
        <WholeNumber label="Days from today" value={days ?? 0} onValue={(next) => onValue({ today: next })} />
      )}
      {kind === 'now' && (
        <input
          className={`${css.input} ${css.short}`}
          aria-label="From now, as in -PT6H or P1D"
          defaultValue={typeof now === 'string' ? now : ''}
          onChange={(event) => onValue(event.target.value ? { now: event.target.value } : undefined)}
        />
      )}
    </div>
  )
}

/** Milliseconds after which one has typed what one meant. */
const PAUSE = 600

/** What is not understood is no value yet. */
function ADate({ type, value, onValue }: TimeEditorProps) {
  const [reader] = useState(thisReader)
  const [text, setText] = useState(() => (typeof value === 'string' ? dateText(value, reader) : ''))
  const kind = type === 'Date' ? 'Date' : 'Any'
  /** What is typed and not reported yet: half of a date is often another one. */
  const waiting = useRef<{ value: string | undefined; timer: ReturnType<typeof setTimeout> }>(null)
  const report = () => {
    const pending = waiting.current
    if (!pending) return
    clearTimeout(pending.timer)
    waiting.current = null
    onValue(pending.value)
  }
  const latest = useRef(report)
  useEffect(() => {
    latest.current = report
  })
  useEffect(() => () => clearTimeout(waiting.current?.timer), [])
  return (
    <DateInput
      kind={kind}
      label="Date"
      onBlur={report}
      onKeyDown={({ key }) => key === 'Enter' && report()}
      autoFocus={value === undefined}
      text={text}
      onText={(next) => {
        setText(next)
        const read = typedDate(kind, next, reader)
        clearTimeout(waiting.current?.timer)
        const value = read.is === 'value' ? read.value : undefined
        waiting.current = { value, timer: setTimeout(() => latest.current(), PAUSE) }
      }}
    />
  )
}

const isListed = (days: number) => RELATIVE.some(([each]) => each === days)

const partOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
