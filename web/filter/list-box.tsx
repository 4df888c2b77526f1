import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import css from '#web/filter/condition-editor.module.css'

export interface ListChoice {
  key: string
  /** The heading above it, where it is another than that of the one before. */
  group?: string
  look: ReactNode
}

interface ListBoxProps<T extends ListChoice> {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  choices: readonly T[]
  onChoose: (choice: T) => void
  /** A key that the box does not know; true: it has been dealt with. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>, here: T | undefined) => boolean
  /** Where nothing fits. */
  nothing: string
}

/** Found by typing, taken by Enter or a click. */
export function ListBox<T extends ListChoice>(props: ListBoxProps<T>) {
  const { label, placeholder, text, onText, choices, onChoose, onKey, nothing } = props
  const id = useId()
  const [here, setHere] = useState(0)
  const at = Math.min(here, choices.length - 1)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const choice = choices[at]
    if (onKey?.(event, choice)) return event.preventDefault()
    if (event.key === 'ArrowDown') setHere(Math.min(at + 1, choices.length - 1))
    else if (event.key === 'ArrowUp') setHere(Math.max(at - 1, 0))
    else if (event.key === 'Enter') choice && onChoose(choice)
    else return undefined
    return event.preventDefault()
  }
  return (
    <div>
      <input
        className={css.input}
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={choices[at] && `${id}-${at}`}
        aria-autocomplete="list"
        autoFocus
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          setHere(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} className={css.list}>
        {choices.map((choice, i) => (
          <div key={choice.key} role="presentation">
            {choice.group !== undefined && choice.group !== choices[i - 1]?.group && (
              <div role="presentation" className={css.group}>
                {choice.group}
              </div>
            )}
            <div
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              className={css.option}
              data-here={i === at}
              ref={(element) => {
                if (i === at) element?.scrollIntoView({ block: 'nearest' })
              }}
              onMouseDown={(event) => {
                event.preventDefault()
                onChoose(choice)
              }}
            >
              {choice.look}
            </div>
          </div>
        ))}
      </div>
      {!choices.length && <p className={css.note}>{nothing}</p>}
    </div>
  )
}
