import { type KeyboardEvent, useId, useState } from 'react'
import { WhichOne, whichId } from '#web/parts/which-one.tsx'
import type { FieldSchema } from '#web/rules/column.ts'
import { numberText, thisLocale, typedNumberOf, understoodNumber } from '#web/rules/typed-number.ts'
import css from '#web/parts/number-input.module.css'

interface NumberInputProps {
  label: string
  schema: FieldSchema
  text: string
  onText: (text: string) => void
  /** What is wrong is said by somebody else already. */
  isFaulty?: boolean
  autoFocus?: boolean
  /** What was there is marked, so that typing replaces it. */
  marked?: boolean
  className?: string | undefined
  /** Keys that no question took. */
  onKeyDown?: (event: KeyboardEvent) => void
  onBlur?: () => void
}

/** A number as people write it: beneath is what was understood, and a question where it may be another one. */
export function NumberInput(props: NumberInputProps) {
  const { label, schema, text, onText, isFaulty = false, marked, onKeyDown } = props
  const id = useId()
  const [locale] = useState(thisLocale)
  const [here, setHere] = useState(-1)
  const read = typedNumberOf(schema, text, { locale, asShown: true })
  const says = understoodNumber(schema, text, read, locale)
  const choices = read.is === 'which' ? read.values.map((value) => numberText(schema, value, locale)) : []
  const at = Math.min(here, choices.length - 1)
  const change = (next: string) => {
    setHere(-1)
    onText(next)
  }
  const hear = (event: KeyboardEvent) => {
    const { key } = event
    if (choices.length && key === 'ArrowDown') setHere(Math.min(at + 1, choices.length - 1))
    else if (choices.length && key === 'ArrowUp') setHere(Math.max(at - 1, 0))
    else if (at >= 0 && key === 'Enter') change(choices[at]!)
    else return onKeyDown?.(event)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <input
        className={props.className}
        role={choices.length ? 'combobox' : undefined}
        aria-expanded={choices.length ? true : undefined}
        aria-haspopup={choices.length ? 'listbox' : undefined}
        aria-controls={choices.length ? `${id}-which` : undefined}
        aria-activedescendant={at >= 0 ? whichId(`${id}-which`, at) : undefined}
        aria-label={label}
        aria-invalid={isFaulty ? true : undefined}
        aria-describedby={says && !isFaulty ? `${id}-says` : undefined}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={props.autoFocus}
        value={text}
        onChange={(event) => change(event.target.value)}
        onFocus={(event) => marked && event.target.select()}
        onKeyDown={hear}
        onBlur={props.onBlur}
      />
      {says && !isFaulty && (
        <p id={`${id}-says`} className={css.says} role="status">
          {says}
        </p>
      )}
      {choices.length > 0 && (
        <WhichOne id={`${id}-which`} choices={choices} at={at} onTake={(index) => change(choices[index]!)} />
      )}
    </>
  )
}
