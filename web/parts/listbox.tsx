import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '#web/parts/icon.tsx'
import { layBeside } from '#web/parts/lay-beside.ts'
import { foundByTyping } from '#web/rules/type-ahead.ts'
import css from '#web/parts/listbox.module.css'

/** What is stored, how it reads, and under which heading it stands. */
export type Choice<Value extends string = string> = readonly [value: Value, words: string, group?: string]

interface ListboxProps<Value extends string> {
  /** Its name, where no `<label>` gives it one by its id. */
  label?: string
  id?: string
  /** What is chosen; none of the options: nothing is. */
  value: Value | ''
  options: readonly Choice<Value>[]
  onValue: (value: Value) => void
  /** What stands there while nothing is chosen. */
  placeholder?: string
  /** It wants an answer before one can go on. */
  isAsked?: boolean
  disabled?: boolean
  autoFocus?: boolean
  tabIndex?: number
  className?: string | undefined
}

/** Milliseconds in which letters make one word. */
const PAUSE = 600
const PAGE = 8

/** One of several: a select-only combobox of the WAI-ARIA Authoring Practices, the same in every browser. */
export function Listbox<Value extends string>(props: ListboxProps<Value>) {
  const { label, value, options, onValue, placeholder = 'Choose', isAsked, disabled, className } = props
  const own = useId()
  const id = props.id ?? own
  const button = useRef<HTMLButtonElement>(null)
  /** Where one is in the open list; null: it is closed. */
  const [here, setHere] = useState<number | null>(null)
  const typed = useRef({ text: '', at: 0 })
  const chosen = options.findIndex(([each]) => each === value)
  const isOpen = here !== null && options.length > 0
  const at = Math.min(here ?? -1, options.length - 1)

  const open = (to = chosen) => setHere(Math.max(to, 0))
  const take = (option: Choice<Value> | undefined) => {
    setHere(null)
    if (option && option[0] !== value) onValue(option[0])
  }
  const typeAhead = ({ key, timeStamp }: KeyboardEvent): void => {
    const before = timeStamp - typed.current.at < PAUSE ? typed.current.text : ''
    typed.current = { text: before + key, at: timeStamp }
    const names = options.map(([, words]) => words)
    const to = foundByTyping(names, typed.current.text, isOpen ? at : chosen)
    if (to >= 0 || !isOpen) open(to >= 0 ? to : chosen)
  }
  const hear = (event: KeyboardEvent): boolean => {
    const { key, altKey, ctrlKey, metaKey } = event
    if (ctrlKey || metaKey) return false
    const isTyping = typed.current.text !== '' && event.timeStamp - typed.current.at < PAUSE
    if (key.length === 1 && !altKey && (key !== ' ' || (isTyping && isOpen))) typeAhead(event)
    else if (!isOpen) return opens(event) && (open(endOf(key, options.length)), true)
    else if (key === 'Escape') setHere(null)
    else if (key === 'Enter' || key === ' ' || (altKey && key === 'ArrowUp')) take(options[at])
    else if (key === 'Tab') return (take(options[at]), false)
    else setHere(movedIn(key, at, options.length))
    return true
  }
  const latest = useRef(hear)
  useLayoutEffect(() => {
    latest.current = hear
  })
  useEffect(() => {
    if (!isOpen) return
    // Before dialogs and popovers around it, which Escape would close as well.
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || document.activeElement !== button.current || !latest.current(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [isOpen])
  return (
    <>
      <button
        ref={button}
        type="button"
        id={id}
        role="combobox"
        className={`${css.button} ${className ?? ''}`}
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        aria-invalid={isAsked || undefined}
        disabled={disabled}
        autoFocus={props.autoFocus}
        tabIndex={props.tabIndex}
        data-empty={chosen < 0 || undefined}
        onClick={() => {
          button.current?.focus()
          if (isOpen) setHere(null)
          else open()
        }}
        onKeyDown={(event) => {
          if (isOpen || !hear(event.nativeEvent)) return
          event.preventDefault()
          event.stopPropagation()
        }}
        onBlur={() => setHere(null)}
      >
        <span className={css.words}>{options[chosen]?.[1] ?? placeholder}</span>
        <Icon name="chevron_down" size={14} />
      </button>
      {isOpen && (
        <Options id={id} label={label} button={button} options={options} {...{ chosen, at }} onTake={take} />
      )}
    </>
  )
}

interface OptionsProps<Value extends string> {
  id: string
  label: string | undefined
  button: React.RefObject<HTMLButtonElement | null>
  options: readonly Choice<Value>[]
  chosen: number
  at: number
  onTake: (option: Choice<Value>) => void
}

/** Over everything else, so that nothing cuts it off; what had the focus keeps it. */
function Options<Value extends string>(props: OptionsProps<Value>) {
  const { id, label, button, options, chosen, at, onTake } = props
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => layBeside(list.current!, button.current!), [button])
  useLayoutEffect(() => {
    list.current!.querySelector('[data-here]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the button hears the keys
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={label ?? 'Choices'}
      popover="manual"
      className={css.list}
      onMouseDown={(event) => event.preventDefault()}
      // A label around it would press the button again.
      onClick={(event) => event.preventDefault()}
    >
      {options.map((option, i) => (
        <Option key={option[0]} {...{ id, i, option, at, chosen, onTake }} before={options[i - 1]} />
      ))}
    </div>
  )
}

interface OptionProps<Value extends string> {
  id: string
  i: number
  option: Choice<Value>
  /** The one above it. */
  before: Choice<Value> | undefined
  chosen: number
  at: number
  onTake: (option: Choice<Value>) => void
}

function Option<Value extends string>({ id, i, option, before, chosen, at, onTake }: OptionProps<Value>) {
  const [, words, group] = option
  return (
    <>
      {group !== undefined && group !== before?.[2] && (
        <div role="presentation" className={css.group}>
          {group}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- as above */}
      <div
        id={`${id}-${i}`}
        role="option"
        aria-selected={i === chosen}
        aria-description={group}
        className={css.option}
        data-here={i === at || undefined}
        onClick={() => onTake(option)}
      >
        <span>{words}</span>
        {i === chosen && <Icon name="check" size={14} />}
      </div>
    </>
  )
}

const OPENING = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ', 'Home', 'End'])
const opens = ({ key }: KeyboardEvent): boolean => OPENING.has(key)

/** Home and End open the list at its ends. */
const endOf = (key: string, count: number): number | undefined =>
  key === 'Home' ? 0 : key === 'End' ? count - 1 : undefined

function movedIn(key: string, at: number, count: number): number {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -count, End: count }[key] ?? 0
  return Math.max(0, Math.min(at + by, count - 1))
}
