import {
  type ComponentProps,
  type FormEvent,
  type InvalidEvent,
  type ReactNode,
  useId,
  useState,
} from 'react'
import { Button } from '#web/parts/button.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { invalidWords, isFirstInvalid, tooLongWords } from '#web/parts/invalid-words.ts'
import css from '#web/parts/field.module.css'

interface Around {
  label: string
  /** Under the label: what to give. */
  hint?: ReactNode
  /** What is wrong with what was given. */
  fault?: ReactNode
  /** The service's way out, as a button. */
  suggestion?: { text: string; take?: () => void } | undefined
}

export interface FieldProps extends Around, Omit<ComponentProps<'input'>, 'id'> {}

type Input = HTMLInputElement | HTMLTextAreaElement

/** What the browser would say in a bubble of its own is said beneath, until something else is typed. */
function useInvalid(label: string, most: number | undefined) {
  const [words, setWords] = useState<string>()
  return {
    words,
    hears: {
      onInvalid: (event: InvalidEvent<Input>) => {
        event.preventDefault()
        const input = event.currentTarget
        setWords(invalidWords(input, label))
        if (isFirstInvalid(input)) input.focus()
      },
      onInput: ({ currentTarget }: FormEvent<Input>) => {
        const tooLong = tooLongWords(currentTarget.value, most)
        currentTarget.setCustomValidity(tooLong ?? '')
        setWords(tooLong)
      },
    },
  }
}

/** A labelled input with its fault beneath. */
export function Field({ label, hint, fault: given, suggestion, className, maxLength, ...rest }: FieldProps) {
  const id = useId()
  const { words, hears } = useInvalid(label, maxLength)
  const fault = words ?? given
  return (
    <FieldAround id={id} label={label} hint={hint} fault={fault} suggestion={suggestion}>
      <input
        {...hears}
        {...rest}
        id={id}
        className={`${css.input} ${className ?? ''}`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={describedBy(id, { hint, fault })}
      />
    </FieldAround>
  )
}

export interface TextFieldProps extends Around, Omit<ComponentProps<'textarea'>, 'id'> {}

/** The same for several lines. */
export function TextField({
  label,
  hint,
  fault: given,
  suggestion,
  className,
  maxLength,
  ...rest
}: TextFieldProps) {
  const id = useId()
  const { words, hears } = useInvalid(label, maxLength)
  const fault = words ?? given
  return (
    <FieldAround id={id} label={label} hint={hint} fault={fault} suggestion={suggestion}>
      <textarea
        rows={4}
        {...hears}
        {...rest}
        id={id}
        className={`${css.input} ${css.text} ${className ?? ''}`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={describedBy(id, { hint, fault })}
      />
    </FieldAround>
  )
}

export const describedBy = (
  id: string,
  { hint, fault }: Pick<Around, 'hint' | 'fault'>,
): string | undefined => [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

/** Label, hint and fault around a control of one's own, which takes the id and `describedBy`. */
export function FieldAround({
  id,
  label,
  hint,
  fault,
  suggestion,
  children,
}: Around & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint && (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && <FaultLine id={`${id}-fault`}>{fault}</FaultLine>}
      {fault && suggestion && <Suggestion {...suggestion} />}
    </div>
  )
}

function Suggestion({ text, take }: NonNullable<Around['suggestion']>) {
  if (!take) return <p className={css.hint}>{text}</p>
  return (
    <Button kind="quiet" onClick={take} className={css.suggestion}>
      {text}
    </Button>
  )
}
