import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { FaultNote, useWait } from '#web/account/fault-note.tsx'
import { formText } from '#web/parts/form-text.ts'
import { OtherWays } from '#web/account/other-ways.tsx'
import { SecondFactorForm } from '#web/account/second-factor-form.tsx'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { getMe, getService, login, logout } from '#web/api/operations.ts'
import type { User } from '#web/data/me-query.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { usePasswords } from '#web/data/use-passwords.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import { toast, type Toast } from '#web/parts/toast.tsx'
import css from '#web/account/account.module.css'

export interface SignInFormProps {
  /** The session is there. */
  onDone: () => void
  /** Whose session it was: nobody else signs in here. */
  only?: Pick<User, 'user_id' | 'email'>
  /** Providers lead away from the page; where what is on it must stay, they are not offered. */
  stays?: boolean
}

/** All ways to sign in, and the second factor where one is due. */
export function SignInForm({ onDone, only, stays = false }: SignInFormProps) {
  const email = only?.email
  const [step, setStep] = useState<'password' | 'code'>('password')
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const service = useQuery(serviceQuery).data
  const wait = useWait(fault)
  const passwords = usePasswords()

  const finish = async (recoveryCodesLeft?: number) => {
    const failed = await failureToFinish(only).catch(toFault)
    if (failed) {
      setStep('password') // where it is said
      return setFault(failed)
    }
    onDone()
    if (recoveryCodesLeft !== undefined) toast(leftWords(recoveryCodesLeft))
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!passwords) return
    setBusy(true)
    setFault(undefined)
    const answer = await call(login, valuesOf(event.currentTarget), { anonymous: true }).catch(toFault)
    if (answer instanceof Fault) setFault(answer)
    else if ('needs_2fa' in answer.data) setStep('code')
    else await finish()
    setBusy(false)
  }
  if (step === 'code')
    return <SecondFactorForm onDone={(left) => void finish(left)} onBack={() => setStep('password')} />
  return (
    <div className={css.form}>
      {fault && <FaultNote fault={fault} />}
      <form ref={form} className={css.form} onSubmit={(event) => void submit(event)}>
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username webauthn"
          defaultValue={email}
          readOnly={email !== undefined}
          tabIndex={email === undefined ? undefined : -1}
          required
          autoFocus={email === undefined}
        />
        {passwords && (
          <>
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              autoFocus={email !== undefined}
            />
            <Button kind="primary" type="submit" className={css.wide} disabled={busy || wait > 0}>
              {busy ? 'Signing in…' : 'Sign in'}
            </Button>
          </>
        )}
      </form>
      {service && (
        <OtherWays
          service={service}
          providers={!stays}
          email={() => emailOf(form.current)}
          onFault={setFault}
          onDone={() => void finish()}
        />
      )}
    </div>
  )
}

/** Whether the browser has the session, and it is of the account that is meant. Undefined: both. */
async function failureToFinish(only: SignInFormProps['only']): Promise<Fault | undefined> {
  const { data } = await call(getService, {}, { anonymous: true })
  if (!data.signed_in) return noCookie()
  return only && endOther(only.user_id)
}

const leftWords = (left: number): Toast =>
  left
    ? { text: `You used a recovery code: ${left} ${left === 1 ? 'is' : 'are'} left` }
    : {
        text: 'That was your last recovery code. Make new ones in the settings; where the app is lost, ask the operator to take your second factor away.',
        kind: 'danger',
      }

/** An address may have become somebody else's: their session ends again. Undefined: it is the account that is meant. */
async function endOther(user_id: string): Promise<Fault | undefined> {
  const { data } = await call(getMe, {}, { anonymous: true })
  if (data.user_id === user_id) return undefined
  await call(logout, {}, { anonymous: true })
  return new Fault(0, {
    error: 'OtherAccount',
    message: 'This address belongs to another account now. To sign in with it, leave this page first.',
  })
}

const valuesOf = (form: HTMLFormElement) => ({
  email: formText(form, 'email'),
  password: formText(form, 'password'),
})

/** Asks for it where it is missing. */
function emailOf(form: HTMLFormElement | null): string | undefined {
  const input = form?.elements.namedItem('email')
  return input instanceof HTMLInputElement && input.reportValidity() ? input.value : undefined
}

/** Some browsers drop the cookie of a site without https, localhost included. */
const noCookie = () =>
  new Fault(0, {
    error: 'NoCookie',
    message:
      'You were let in, but this browser did not keep the session. It may need https: open Facet at an address with https, or use another browser.',
  })
