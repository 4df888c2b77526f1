import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { typedBy } from '#web/parts/composing-keys.ts'
import { Icon } from '#web/parts/icon.tsx'
import { layBeside } from '#web/parts/lay-beside.ts'
import { useFirstKeys } from '#web/parts/use-first-keys.ts'
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
  /** What it is known by, before its words. */
  signOf?: ((value: Value) => ReactNode) | undefined
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
  const {
    label,
    value,
    options,
    onValue,
    signOf,
    placeholder = 'Choose',
    isAsked,
    disabled,
    className,
  } = props
  const own = useId()
  const id = props.id ?? own
  const button = useRef<HTMLButtonElement>(null)
  /** Where one is in the open list; null: it is closed. */
  const [here, setHere] = useState<number | null>(null)
  const typed = useRef({ text: '', at: 0 })
  /** Whether somebody has gone to where one is: that is meant, also where the list is left. */
  const isMoved = useRef(false)
  const chosen = options.findIndex(([each]) => each === value)
  const isOpen = here !== null && options.length > 0
  const at = Math.min(here ?? -1, options.length - 1)

  const goTo = (to: number) => {
    isMoved.current = true
    setHere(to)
  }
  const open = () => {
    isMoved.current = false
    setHere(Math.max(chosen, 0))
  }
  const take = (option: Choice<Value> | undefined) => {
    isMoved.current = false
    setHere(null)
    if (option && option[0] !== value) onValue(option[0])
  }
  const typeAhead = ({ key, timeStamp }: KeyboardEvent): void => {
    const before = timeStamp - typed.current.at < PAUSE ? typed.current.text : ''
    typed.current = { text: before + key, at: timeStamp }
    const names = options.map(([, words]) => words)
    const to = foundByTyping(names, typed.current.text, isOpen ? at : chosen)
    if (to >= 0) goTo(to)
    else if (!isOpen) open()
  }
  const hear = (event: KeyboardEvent): boolean => {
    const { key, altKey, ctrlKey, metaKey } = event
    const letter = typedBy(event)
    if (letter === undefined && (ctrlKey || metaKey)) return false
    const isTyping = typed.current.text !== '' && event.timeStamp - typed.current.at < PAUSE
    if (letter !== undefined && (key !== ' ' || (isTyping && isOpen))) typeAhead(event)
    else if (!isOpen && (key === 'Home' || key === 'End')) goTo(key === 'Home' ? 0 : options.length - 1)
    else if (!isOpen && OPENING.has(key)) open()
    else if (!isOpen || key === 'Tab') return false
    else if (key === 'Escape') setHere(null)
    else if (key === 'Enter' || key === ' ' || (altKey && key === 'ArrowUp')) take(options[at])
    else {
      const to = movedIn(key, at, options.length)
      if (to === undefined) return false
      goTo(to)
    }
    return true
  }
  useFirstKeys(isOpen, button, hear)
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
        onBlur={() => (isMoved.current && isOpen ? take(options[at]) : setHere(null))}
      >
        {options[chosen] && signOf?.(options[chosen][0])}
        <span className={css.words}>{options[chosen]?.[1] ?? placeholder}</span>
        <Icon name="chevron_down" size={14} />
      </button>
      {isOpen && (
        <Options
          id={id}
          label={label}
          button={button}
          options={options}
          {...{ chosen, at, signOf }}
          onTake={take}
        />
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
  signOf: ListboxProps<Value>['signOf']
  onTake: (option: Choice<Value>) => void
}

/** Over everything else, so that nothing cuts it off; what had the focus keeps it. */
function Options<Value extends string>(props: OptionsProps<Value>) {
  const { id, label, button, options, chosen, at, signOf, onTake } = props
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => layBeside(list.current!, button.current!), [button])
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
        <Option key={option[0]} {...{ id, i, option, at, chosen, signOf, onTake }} before={options[i - 1]} />
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
  signOf: ListboxProps<Value>['signOf']
  onTake: (option: Choice<Value>) => void
}

function Option<Value extends string>(props: OptionProps<Value>) {
  const { id, i, option, before, chosen, at, signOf, onTake } = props
  const [, words, group] = option
  const here = useRef<HTMLDivElement>(null)
  const isHere = i === at
  useLayoutEffect(() => {
    if (isHere) here.current!.scrollIntoView({ block: 'nearest' })
  }, [isHere])
  return (
    <>
      {group !== undefined && group !== before?.[2] && (
        <div role="presentation" className={css.group}>
          {group}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- as above */}
      <div
        ref={here}
        id={`${id}-${i}`}
        role="option"
        aria-selected={i === chosen}
        aria-description={group}
        className={css.option}
        data-here={isHere || undefined}
        onClick={() => onTake(option)}
      >
        {signOf?.(option[0])}
        <span className={css.name}>{words}</span>
        {i === chosen && <Icon name="check" size={14} />}
      </div>
    </>
  )
}

const OPENING = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' '])

function movedIn(key: string, at: number, count: number): number | undefined {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -count, End: count }[key]
  return by === undefined ? undefined : Math.max(0, Math.min(at + by, count - 1))
}
