import { type ClipboardEvent, type FormEvent, useState } from 'react'
import { FaultNote, useWait } from '#web/account/fault-note.tsx'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { verifyTotp } from '#web/api/operations.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import css from '#web/account/account.module.css'

const DIGITS = 6

/** The six digits of an authenticator app, after the password. */
export function SecondFactorForm({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const wait = useWait(fault)
  const send = async (given: string) => {
    setBusy(true)
    setFault(undefined)
    const answer = await call(verifyTotp, { code: given }, { anonymous: true }).catch(toFault)
    setBusy(false)
    if (!(answer instanceof Fault)) return onDone()
    setCode('')
    setFault(answer)
  }
  const change = (text: string) => {
    const digits = text.replaceAll(/\D/g, '').slice(0, DIGITS)
    setCode(digits)
    if (digits.length === DIGITS && !busy) void send(digits)
  }
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    change(event.clipboardData.getData('text'))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send(code)
  }
  return (
    <form className={css.form} onSubmit={submit}>
      {fault && <FaultNote fault={fault} />}
      <Field
        label="Code from your authenticator app"
        className={css.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => change(event.target.value)}
        onPaste={paste}
        autoFocus
      />
      <Button
        kind="primary"
        type="submit"
        className={css.wide}
        disabled={busy || wait > 0 || code.length < DIGITS}
      >
        {busy ? 'Checking…' : 'Continue'}
      </Button>
      <Button kind="quiet" icon="arrow_left" onClick={onBack}>
        Sign in as somebody else
      </Button>
    </form>
  )
}
