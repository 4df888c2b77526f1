import { type FormEvent, useState } from 'react'
import { FaultNote, useWait } from '#web/account/fault-note.tsx'
import { formText } from '#web/parts/form-text.ts'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { register } from '#web/api/operations.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import css from '#web/account/account.module.css'

const FIELDS = ['email', 'display_name', 'password', 'invitation'] as const

interface RegisterFormProps {
  onDone: () => void
  /** The token of the link that led here. */
  invitation?: string
  /** Nobody gets an account here without one. */
  invitedOnly?: boolean
}

/** Makes an account. */
export function RegisterForm({ onDone, invitation = '', invitedOnly = false }: RegisterFormProps) {
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const [seen, setSeen] = useState(false)
  const [invited, setInvited] = useState(invitedOnly || invitation !== '')
  const wait = useWait(fault)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const display_name = formText(form, 'display_name').trim()
    const token = formText(form, 'invitation').trim()
    setBusy(true)
    setFault(undefined)
    const answer = await call(
      register,
      {
        email: formText(form, 'email'),
        password: formText(form, 'password'),
        ...(display_name && { display_name }),
        ...(token && { invitation: token }),
      },
      { anonymous: true },
    ).catch(toFault)
    setBusy(false)
    if (!(answer instanceof Fault)) return onDone()
    setFault(answer)
    // Those who may not register by themselves may by an invitation.
    if (answer.status === 403) setInvited(true)
  }
  const problem = (name: string) => fault?.problemOf(name)
  const elsewhere = fault && !FIELDS.some((name) => fault.problemOf(name))
  return (
    <form className={css.form} onSubmit={(event) => void submit(event)}>
      {elsewhere && <FaultNote fault={fault} />}
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        fault={problem('email')}
        autoFocus
      />
      <Field
        label="Name"
        name="display_name"
        autoComplete="name"
        hint="Others see it next to your changes. It may stay empty."
        fault={problem('display_name')}
      />
      <Field
        label="Password"
        name="password"
        type={seen ? 'text' : 'password'}
        autoComplete="new-password"
        minLength={8}
        required
        hint={
          <>
            At least 8 characters.{' '}
            <button type="button" className={css.link} onClick={() => setSeen(!seen)}>
              {seen ? 'Hide it' : 'Show it'}
            </button>
          </>
        }
        fault={problem('password')}
      />
      {invited && (
        <Field
          label="Invitation"
          name="invitation"
          defaultValue={invitation}
          readOnly={invitation !== ''}
          required={invitedOnly}
          autoComplete="off"
          hint={
            invitation
              ? 'It came with your link.'
              : 'The token of your invitation; for the first account of a base, the one that the service printed when it started.'
          }
          fault={problem('invitation')}
        />
      )}
      <Button kind="primary" type="submit" className={css.wide} disabled={busy || wait > 0}>
        {busy ? 'Making your account…' : 'Make an account'}
      </Button>
    </form>
  )
}
