import { type FormEvent, useState } from 'react'
import { FaultNote, useWait } from '#web/account/fault-note.tsx'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { setPasswordByLink } from '#web/api/operations.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import { formText } from '#web/parts/form-text.ts'
import css from '#web/account/account.module.css'

/** Sets a new password with the token of a link. */
export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const [seen, setSeen] = useState(false)
  const wait = useWait(fault)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const new_password = formText(event.currentTarget, 'password')
    setBusy(true)
    setFault(undefined)
    const answer = await call(setPasswordByLink, { token, new_password }, { anonymous: true }).catch(toFault)
    setBusy(false)
    if (answer instanceof Fault) setFault(answer)
    else onDone()
  }
  const problem = fault?.problemOf('new_password')
  return (
    <form className={css.form} onSubmit={(event) => void submit(event)}>
      {fault && !problem && <FaultNote fault={fault} />}
      <Field
        label="New password"
        name="password"
        type={seen ? 'text' : 'password'}
        autoComplete="new-password"
        minLength={8}
        required
        autoFocus
        hint={
          <>
            At least 8 characters.{' '}
            <button type="button" className={css.link} onClick={() => setSeen(!seen)}>
              {seen ? 'Hide it' : 'Show it'}
            </button>
          </>
        }
        fault={problem}
      />
      <Button kind="primary" type="submit" className={css.wide} disabled={busy || wait > 0}>
        {busy ? 'Setting it…' : 'Set the password'}
      </Button>
    </form>
  )
}
