import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react'
import { FaultNote, useWait } from '#web/account/fault-note.tsx'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { countRecoveryCodes, verifyTotp } from '#web/api/operations.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import css from '#web/account/account.module.css'

const DIGITS = 6
const RECOVERY_CODE = /^\s*[0-9a-z]{4}(?:[-\s]?[0-9a-z]{4}){3}\s*$/i

interface SecondFactorFormProps {
  /** `left`: how many recovery codes, where one was used. */
  onDone: (left?: number) => void
  onBack: () => void
}

/** What follows the password: the six digits of an authenticator app, or a recovery code in their place. */
export function SecondFactorForm({ onDone, onBack }: SecondFactorFormProps) {
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const wait = useWait(fault)
  const input = useRef<HTMLInputElement>(null)
  const send = async (given: string) => {
    setBusy(true)
    setFault(undefined)
    const answer = await call(verifyTotp, { code: given }, { anonymous: true }).catch(toFault)
    if (!(answer instanceof Fault)) return onDone(given.length > DIGITS ? await codesLeft() : undefined)
    setBusy(false)
    if (!isRecovery) setCode('')
    setFault(answer)
  }
  const change = (text: string) => {
    if (isRecovery || beginsRecoveryCode(text)) {
      setRecovery(true)
      return setCode(text)
    }
    const digits = digitsOf(text).slice(0, DIGITS)
    setCode(digits)
    if (digits.length === DIGITS && !busy) void send(digits)
  }
  const paste = (event: ClipboardEvent) => {
    if (isRecovery) return
    event.preventDefault()
    const text = event.clipboardData.getData('text').trim()
    // Out of a message it comes with words around it.
    const isDigits = digitsOf(text).length === DIGITS && !RECOVERY_CODE.test(text)
    change(isDigits ? digitsOf(text) : text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send(isRecovery ? code.replaceAll(/[^0-9a-z]/gi, '') : code)
  }
  const swap = () => {
    setRecovery(!isRecovery)
    setCode('')
    setFault(undefined)
    input.current?.focus()
  }
  return (
    <form className={css.form} onSubmit={submit}>
      {fault && <FaultNote fault={fault} />}
      <Field
        ref={input}
        {...(isRecovery ? OF_RECOVERY : OF_APP)}
        value={code}
        onChange={(event) => change(event.target.value)}
        onPaste={paste}
        required
        autoFocus
      />
      <Button
        kind="primary"
        type="submit"
        className={css.wide}
        disabled={busy || wait > 0 || (!isRecovery && code.length < DIGITS)}
      >
        {busy ? 'Checking…' : 'Continue'}
      </Button>
      <Button className={css.wide} onClick={swap}>
        {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </Button>
      <Button kind="quiet" icon="arrow_left" onClick={onBack}>
        Sign in as somebody else
      </Button>
    </form>
  )
}

const OF_APP = {
  label: 'Code from your authenticator app',
  className: css.code,
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
} as const
const OF_RECOVERY = {
  label: 'Recovery code',
  hint: 'One of the ten that you saved, such as N94B-FAH7-KMGH-B3DA. Each lets you in once.',
  inputMode: 'text',
  autoComplete: 'off',
  autoCapitalize: 'characters',
  spellCheck: false,
} as const

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

/** An app's code has no letters, nor a hyphen after four digits. */
const beginsRecoveryCode = (text: string) => /[a-z]|^\s*\d{4}-/i.test(text) || RECOVERY_CODE.test(text)

/** Undefined where the service does not say: that must keep nobody out. */
const codesLeft = () =>
  call(countRecoveryCodes, {}, { anonymous: true }).then(
    ({ data }) => data.left,
    () => undefined,
  )
