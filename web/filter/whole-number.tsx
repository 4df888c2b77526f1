import { useRef, useState } from 'react'
import { useHoldOpen } from '#web/parts/popover.tsx'
import { useHoldUnsettled } from '#web/parts/unsettled.ts'
import css from '#web/filter/condition-editor.module.css'

interface WholeNumberProps {
  label: string
  min?: number
  value: number
  /** Gets what is a number; what stands there in between, nothing or a sign alone, does not count. */
  onValue: (value: number) => void
}

/** A number that is typed. */
export function WholeNumber({ label, min, value, onValue }: WholeNumberProps) {
  // What is typed stays as it is typed.
  const [begun] = useState(value)
  const [isNone, setNone] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useHoldOpen(isNone)
  useHoldUnsettled(isNone, () => input.current?.focus())
  return (
    <input
      ref={input}
      className={`${css.input} ${css.short}`}
      type="number"
      min={min}
      aria-label={label}
      aria-invalid={isNone || undefined}
      defaultValue={begun}
      onChange={({ target }) => {
        const next = target.valueAsNumber
        const isOne = Number.isSafeInteger(next) && (min === undefined || next >= min)
        setNone(!isOne)
        if (isOne) onValue(next)
      }}
    />
  )
}
