import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formText } from '#web/parts/form-text.ts'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { changeEmail, changePassword, deleteMe, updateProfile } from '#web/api/operations.ts'
import { meQuery, type User } from '#web/data/me-query.ts'
import { sessionHasEnded } from '#web/data/sign-out.ts'
import { usePasswords } from '#web/data/use-passwords.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { resetSent } from '#web/parts/reset-sent.ts'
import { toast } from '#web/parts/toast.tsx'
import { useTypedForm } from '#web/parts/use-typed.ts'
import { useBusy } from '#web/parts/use-busy.ts'
import css from '#web/parts/settings.module.css'

/** Name, e-mail address, password, and the end of the account. */
export function AccountSettings() {
  const user = useQuery(meQuery).data
  const passwords = usePasswords()
  if (!user) return null
  // Where passwords are off, the one that is there proves nothing.
  const me = { ...user, has_password: user.has_password && passwords }
  return (
    <>
      <NameForm me={me} />
      <EmailForm me={me} />
      {passwords && <PasswordForm me={me} />}
      <Deletion me={me} />
    </>
  )
}

/** Sends a form, after a fresh proof where the service asks for one, keeps its fault, and says when it is done. */
function useForm(send: (form: HTMLFormElement) => Promise<unknown>, done: string) {
  const client = useQueryClient()
  const [confirmed, dialog] = useConfirmed()
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setBusy(true)
    setFault(undefined)
    const reset = resetSent(form)
    const answer = await confirmed(() => send(form))
    setBusy(false)
    if (answer instanceof Fault) return setFault(answer)
    toast({ text: done })
    // What the form goes back to is what is stored now.
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
    reset()
  }
  const typed = useTypedForm()
  const given = { ...typed, onSubmit: (event: FormEvent<HTMLFormElement>) => void onSubmit(event) }
  return { fault, isBusy, given, dialog }
}

function NameForm({ me }: { me: User }) {
  const { fault, isBusy, given, dialog } = useForm(
    (form) => call(updateProfile, { display_name: formText(form, 'name').trim() }),
    'Saved your name',
  )
  return (
    <PageSection title="Name" lead="As others see you in histories and logs.">
      <form className={css.form} {...given}>
        <Field
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={200}
          defaultValue={me.display_name ?? ''}
          fault={fault?.problemOf('display_name') ?? fault?.message}
        />
        <Button type="submit" disabled={isBusy}>
          Save name
        </Button>
      </form>
      {dialog}
    </PageSection>
  )
}

/** A password, or where there is none a code. */
const proofOf = (me: User, form: HTMLFormElement) => ({
  ...(me.has_password && { current_password: formText(form, 'password') }),
  ...(!me.has_password && me.has_totp && { code: formText(form, 'code').replaceAll(/\s/g, '') }),
})

function ProofField({ me, fault }: { me: User; fault: Fault | undefined }) {
  if (me.has_password)
    return (
      <Field
        label="Your password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        fault={fault?.problemOf('current_password')}
      />
    )
  if (!me.has_totp) return null
  return (
    <Field
      label="Code from your authenticator app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      fault={fault?.problemOf('code')}
    />
  )
}

const restOf = (fault: Fault | undefined, ...known: string[]) =>
  fault && !known.some((path) => fault.problemOf(path)) ? fault : undefined

function EmailForm({ me }: { me: User }) {
  const { fault, isBusy, given, dialog } = useForm(
    (form) =>
      call(changeEmail, { email: formText(form, 'email'), ...proofOf(me, form) }, { anonymous: true }),
    'Changed your e-mail address; your other sessions have ended',
  )
  const rest = restOf(fault, 'email', 'current_password', 'code')
  return (
    <PageSection title="E-mail" lead={<>You sign in as {me.email}.</>}>
      <form className={css.form} {...given}>
        {rest && <Note kind="danger">{rest.inFull}</Note>}
        <Field
          label="New e-mail address"
          name="email"
          type="email"
          autoComplete="email"
          required
          fault={fault?.problemOf('email')}
        />
        <ProofField me={me} fault={fault} />
        <Button type="submit" disabled={isBusy}>
          Change address
        </Button>
      </form>
      {dialog}
    </PageSection>
  )
}

function PasswordForm({ me }: { me: User }) {
  const { fault, isBusy, given, dialog } = useForm(
    (form) =>
      call(
        changePassword,
        {
          ...(me.has_password && { current_password: formText(form, 'current') }),
          new_password: formText(form, 'new'),
        },
        { anonymous: true },
      ),
    'Changed your password',
  )
  const rest = restOf(fault, 'new_password', 'current_password')
  return (
    <PageSection
      title="Password"
      lead={me.has_password ? undefined : 'You have none yet: a provider or a passkey lets you in.'}
    >
      <form className={css.form} {...given}>
        <input type="hidden" autoComplete="username" value={me.email} readOnly />
        {rest && <Note kind="danger">{rest.inFull}</Note>}
        {me.has_password && (
          <Field
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            required
            fault={fault?.problemOf('current_password')}
          />
        )}
        <Field
          label="New password"
          name="new"
          type="password"
          autoComplete="new-password"
          required
          hint="At least eight characters; a sentence is fine."
          fault={fault?.problemOf('new_password')}
        />
        <Button type="submit" disabled={isBusy}>
          {me.has_password ? 'Change password' : 'Set a password'}
        </Button>
      </form>
      {dialog}
    </PageSection>
  )
}

function Deletion({ me }: { me: User }) {
  const [confirmed, dialog] = useConfirmed()
  const [isOpen, setOpen] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [isBusy, alone] = useBusy()
  const remove = async (form: HTMLFormElement) => {
    const answer = await confirmed(() => call(deleteMe, proofOf(me, form), { anonymous: true }))
    if (answer instanceof Fault) return setFault(answer)
    sessionHasEnded()
  }
  return (
    <PageSection
      title="Delete this account"
      lead="Your views, chats, keys and ways to sign in go for good. What you did in the base stays, under your id."
    >
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete my account…
        </Button>
      </div>
      {isOpen && (
        <Dialog title="Delete your account?" onClose={() => setOpen(false)}>
          <form
            className={css.form}
            onSubmit={(event) => {
              event.preventDefault()
              const form = event.currentTarget
              void alone(() => remove(form))
            }}
          >
            <p>There is no way back.</p>
            {fault && <Note kind="danger">{fault.inFull}</Note>}
            <ProofField me={me} fault={undefined} />
            <Button kind="danger" type="submit" disabled={isBusy}>
              Delete it for good
            </Button>
          </form>
        </Dialog>
      )}
      {dialog}
    </PageSection>
  )
}
