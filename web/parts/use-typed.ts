import { type FormEvent, useState } from 'react'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'

type TextBox = HTMLInputElement | HTMLTextAreaElement

/** What is typed to find or to prove something is worth nothing later. */
const NOT_STORED = '[type=search], [type=password], [role=combobox], [autocomplete=one-time-code]'
const NO_TEXT = '[type=checkbox], [type=radio], [type=file], [type=hidden]'

const isTextBox = (element: unknown): element is TextBox =>
  (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) &&
  !element.matches(`${NOT_STORED}, ${NO_TEXT}`)

/** Whether somebody has typed into what is around, where it is not known what was there before. */
export function useTyped() {
  const [isTyped, setTyped] = useState(false)
  return { isTyped, onInput: ({ target }: FormEvent) => isTextBox(target) && setTyped(true) }
}

/** A form that is saved by hand: before it is left with a text that is not, one is asked. It goes with the attributes. */
export function useTypedForm() {
  const [isTyped, setTyped] = useState(false)
  useLeaveGuard(isTyped)
  const compare = (form: HTMLFormElement) =>
    setTyped([...form.elements].some((each) => isTextBox(each) && each.value !== each.defaultValue))
  return {
    onInput: ({ currentTarget }: FormEvent<HTMLFormElement>) => compare(currentTarget),
    // What was typed while it was sent is put back after the reset.
    onReset: ({ currentTarget }: FormEvent<HTMLFormElement>) => queueMicrotask(() => compare(currentTarget)),
  }
}
