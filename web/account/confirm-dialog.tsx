import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { formText } from '#web/parts/form-text.ts'
import { passkeyAssertion } from '#web/account/passkey.ts'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { confirm } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { meQuery } from '#web/data/me-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'

interface ConfirmDialogProps {
  ways: readonly string[]
  onDone: (confirmed: boolean) => void
}

/** Asks who it is once more, before something that lets others in or ends the account. */
export function ConfirmDialog({ ways, onDone }: ConfirmDialogProps) {
  const email = useQuery(meQuery).data?.email ?? ''
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const prove = async (proof: () => Promise<InputOf<typeof confirm>>) => {
    setBusy(true)
    setFault(undefined)
    const answer = await proof()
      .then((input) => call(confirm, input, { anonymous: true }))
      .catch(toFault)
    setBusy(false)
    if (answer instanceof Fault) setFault(answer)
    else onDone(true)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const password = formText(form, 'password')
    const code = formText(form, 'code').replaceAll(/\s/g, '')
    void prove(async () => (password ? { password } : { code }))
  }
  const [hasPassword, hasCode] = [ways.includes('password'), ways.includes('totp')]
  return (
    <Dialog title="Is it you?" onClose={() => onDone(false)}>
      {ways.length ? (
        <p>What comes next asks for a proof of the last ten minutes that it is you.</p>
      ) : (
        <p>
          This account has neither password nor passkey here: sign out and in again, then do it once more.
        </p>
      )}
      {(hasPassword || hasCode) && (
        <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
          <input type="hidden" autoComplete="username" value={email} readOnly />
          {hasPassword ? (
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              autoFocus
              fault={fault?.message}
            />
          ) : (
            <Field
              label="Code from your authenticator app"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              autoFocus
              fault={fault?.problemOf('code') ?? fault?.inFull}
            />
          )}
          <Button kind="primary" type="submit" disabled={isBusy}>
            {isBusy ? 'Checking…' : 'Go on'}
          </Button>
        </form>
      )}
      {ways.includes('passkey') && (
        <Button icon="passkey" disabled={isBusy} onClick={() => void prove(() => passkeyAssertion(email))}>
          Use a passkey
        </Button>
      )}
      {!hasPassword && !hasCode && fault && <FaultLine>{fault.message}</FaultLine>}
    </Dialog>
  )
}
