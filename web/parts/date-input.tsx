import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { IconButton } from '#web/parts/button.tsx'
import { Calendar, dayId, movedDay } from '#web/parts/calendar.tsx'
import { layBeside } from '#web/parts/lay-beside.ts'
import { WhichOne, whichId } from '#web/parts/which-one.tsx'
import { useFirstKeys } from '#web/parts/use-first-keys.ts'
import {
  type DateKind,
  dayIn,
  dateText,
  onDay,
  type Reader,
  sayTyped,
  thisReader,
  todayOf,
  typedDate,
} from '#web/rules/typed-date.ts'
import css from '#web/parts/date-input.module.css'

export interface DateInputProps {
  kind: DateKind
  label: string
  text: string
  onText: (text: string) => void
  /** What may be typed. */
  example?: string
  /** Said by somebody else already: no hint is shown then. */
  isFaulty?: boolean
  autoFocus?: boolean
  /** What was there is marked, so that typing replaces it. */
  marked?: boolean
  /** Within a box that has edges already, as a cell's editor has. */
  isBare?: boolean
  className?: string | undefined
  /** Keys that neither the calendar nor a question took. */
  onKeyDown?: (event: KeyboardEvent) => void
  onBlur?: () => void
}

/** A date as people write it: beneath is what was understood, a question where it may be several, and a calendar. */
export function DateInput(props: DateInputProps) {
  const { kind, label, text, onText, isFaulty = false, isBare = false, onKeyDown } = props
  const id = useId()
  const [reader] = useState(thisReader)
  const read = typedDate(kind, text, reader)
  const value = read.is === 'value' ? read.value : undefined
  const [day, setDay] = useState<string | null>(null)
  const [here, setHere] = useState(-1)
  const choices = read.is === 'which' ? read.values : []
  const at = Math.min(here, choices.length - 1)

  const change = (next: string) => {
    onText(next)
    setHere(-1)
    const now = typedDate(kind, next, reader)
    if (day !== null && now.is === 'value') setDay(dayIn(now.value, reader))
  }
  const takeDay = (taken: string) => {
    setDay(null)
    onText(onDay(taken, kind, value, reader))
  }
  const toggle = () => setDay(day === null ? (value ? dayIn(value, reader) : todayOf(reader)) : null)
  const inCalendar = (event: KeyboardEvent): boolean => {
    if (day === null) return false
    const to = event.ctrlKey ? undefined : movedDay(event.key, event.shiftKey, day, reader)
    if (to !== undefined) setDay(to)
    else if (event.key === 'Enter') takeDay(day)
    else if (event.key === 'Escape') setDay(null)
    else return false
    return true
  }
  const inChoices = ({ key }: KeyboardEvent): boolean => {
    if (!choices.length || day !== null) return false
    if (key === 'ArrowDown') setHere(Math.min(at + 1, choices.length - 1))
    else if (key === 'ArrowUp') setHere(Math.max(at - 1, 0))
    else if (key === 'Enter' && at >= 0) change(dateText(choices[at]!, reader))
    else return false
    return true
  }
  const hear = (event: KeyboardEvent) => {
    const isHeard = inCalendar(event) || inChoices(event)
    if (!isHeard && event.key !== 'ArrowDown') return onKeyDown?.(event)
    if (!isHeard) toggle()
    event.preventDefault()
    event.stopPropagation()
  }
  const line = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useFirstKeys(day !== null, input, ({ key }) => key === 'Escape' && (setDay(null), true))
  const popup = day !== null ? 'calendar' : choices.length ? 'choices' : null
  return (
    <div className={css.date} data-bare={isBare || undefined}>
      <div ref={line} className={css.line}>
        <input
          ref={input}
          className={`${css.input} ${props.className ?? ''}`}
          role="combobox"
          aria-label={label}
          aria-expanded={popup !== null}
          aria-haspopup={popup === 'choices' ? 'listbox' : 'grid'}
          aria-controls={popup ? `${id}-${popup}` : undefined}
          aria-activedescendant={
            popup === 'calendar'
              ? dayId(`${id}-calendar`)
              : at >= 0
                ? whichId(`${id}-choices`, at)
                : undefined
          }
          aria-describedby={isFaulty || (!isBare && read.is === 'nothing') ? undefined : `${id}-says`}
          aria-invalid={isFaulty ? true : undefined}
          autoComplete="off"
          placeholder={isBare ? undefined : (props.example ?? 'tomorrow, 12 Mar …')}
          autoFocus={props.autoFocus}
          value={text}
          onChange={(event) => change(event.target.value)}
          onFocus={(event) => props.marked && event.target.select()}
          onKeyDown={hear}
          onBlur={() => {
            if (!isBare) setDay(null)
            props.onBlur?.()
          }}
        />
        <IconButton
          icon="calendar"
          label="Calendar (↓)"
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
        />
      </div>
      {!isFaulty && (isBare || read.is !== 'nothing') && (
        <p id={`${id}-says`} className={value ? css.understood : css.hint} role="status">
          {SAYS[read.is](read as never, reader)}
        </p>
      )}
      {popup === 'choices' && (
        <WhichOne
          id={`${id}-choices`}
          choices={choices.map((each) => sayTyped(each, reader))}
          at={at}
          onTake={(index) => change(dateText(choices[index]!, reader))}
        />
      )}
      {day !== null && (
        <Under line={line} isBare={isBare}>
          <Calendar id={`${id}-calendar`} day={day} reader={reader} onDay={setDay} onTake={takeDay} />
        </Under>
      )}
    </div>
  )
}

interface UnderProps {
  line: RefObject<HTMLElement | null>
  isBare: boolean
  children: ReactNode
}

/** Over what is beneath, unless the box around grows by it. */
function Under({ line, isBare, children }: UnderProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (isBare ? undefined : layBeside(place.current!, line.current!)), [isBare, line])
  return (
    <div ref={place} className={isBare ? undefined : css.over} popover={isBare ? undefined : 'manual'}>
      {children}
    </div>
  )
}

const SAYS = {
  nothing: () => 'tomorrow, friday, 12 Mar, in 2 weeks … ↓ opens the calendar',
  value: ({ value }: { value: string }, reader: Reader) => sayTyped(value, reader),
  which: () => 'Which one? ↓ and Enter choose',
  fault: ({ message }: { message: string }) => message,
}
