import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formText } from '#web/parts/form-text.ts'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  createRecoveryCodes,
  disableTotp,
  setupTotp,
} from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { meQuery, type User } from '#web/data/me-query.ts'
import { Button } from '#web/parts/button.tsx'
import { CopyButton } from '#web/parts/copy-button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { toast } from '#web/parts/toast.tsx'
import css from '#web/parts/settings.module.css'

/** The second factor, and the codes for the day when its device is gone. */
export function TotpSettings({ me }: { me: User }) {
  const client = useQueryClient()
  const [confirmed, dialog] = useConfirmed()
  const [setup, setSetup] = useState<OutputOf<typeof setupTotp>>()
  const [asked, setAsked] = useState<'disable' | 'codes'>()
  const [codes, setCodes] = useState<readonly string[]>()
  const left = useQuery({
    queryKey: ['recovery-codes'],
    enabled: me.has_totp,
    queryFn: async ({ signal }) => (await call(countRecoveryCodes, {}, { signal })).data.left,
    staleTime: 0,
  }).data
  const renew = async () => {
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
    await client.invalidateQueries({ queryKey: ['recovery-codes'] })
    await client.invalidateQueries({ queryKey: ['activity'] })
  }
  const begin = async () => {
    const answer = await confirmed(() => call(setupTotp, {}))
    if (answer instanceof Fault) return toast({ text: answer.message, kind: 'danger' })
    setSetup(answer.data)
  }
  const finish = async (code: string) => {
    const answer = await confirmed(() => call(confirmTotp, { code }, { anonymous: true }))
    if (answer instanceof Fault) return answer
    setSetup(undefined)
    toast({ text: 'Your second factor is on' })
    await renew()
    setAsked('codes')
    return undefined
  }
  const withCode = async (code: string) => {
    if (asked === 'disable') {
      const answer = await confirmed(() => call(disableTotp, { code }, { anonymous: true }))
      if (answer instanceof Fault) return answer
      toast({ text: 'Your second factor is off' })
    } else {
      const answer = await call(createRecoveryCodes, { code }, { anonymous: true }).catch(toFault)
      if (answer instanceof Fault) return answer
      setCodes(answer.data.codes)
    }
    setAsked(undefined)
    await renew()
    return undefined
  }
  return (
    <PageSection
      title="Second factor"
      lead={
        me.has_totp
          ? 'Signing in with the password asks for a code of your authenticator app.'
          : 'With a code of an authenticator app in addition to the password, a stolen password alone lets nobody in.'
      }
      actions={
        me.has_totp ? (
          <>
            <Button onClick={() => setAsked('codes')}>New recovery codes</Button>
            <Button kind="danger" onClick={() => setAsked('disable')}>
              Switch off
            </Button>
          </>
        ) : (
          <Button icon="shield" onClick={() => void begin()}>
            Set it up
          </Button>
        )
      }
    >
      {me.has_totp && left !== undefined && (
        <Note kind={left ? 'good' : 'warn'}>
          <p>
            {left
              ? `${left} recovery ${left === 1 ? 'code is' : 'codes are'} left, for when the app is gone.`
              : 'You have no recovery codes: make some, or losing the app locks you out.'}
          </p>
        </Note>
      )}
      {setup && (
        <Dialog title="Set up the second factor" onClose={() => setSetup(undefined)}>
          <p>Scan this with your authenticator app, or type the secret into it.</p>
          <img className={css.qr} src={setup.qr_code} alt="QR code of the secret" />
          <code className={css.code}>{setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          <CodeForm label="Code that the app shows" go="Switch it on" onCode={finish} />
        </Dialog>
      )}
      {asked && (
        <Dialog
          title={asked === 'disable' ? 'Switch off the second factor?' : 'Recovery codes'}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {asked === 'disable'
              ? 'Then the password alone lets you in, and your recovery codes are dropped.'
              : 'Ten codes that each let you in once in place of the app’s. Earlier ones stop working.'}
          </p>
          <CodeForm
            label="Code from your authenticator app"
            go={asked === 'disable' ? 'Switch off' : 'Make ten codes'}
            onCode={withCode}
          />
        </Dialog>
      )}
      {codes && (
        <Dialog
          title="Your recovery codes"
          firm
          onClose={() => setCodes(undefined)}
          footer={
            <>
              <CopyButton text={codes.join('\n')} />
              <Button kind="primary" onClick={() => setCodes(undefined)}>
                I have saved them
              </Button>
            </>
          }
        >
          <p>They are shown only here. Print them, or put them into your password manager.</p>
          <ul className={css.codes}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
        </Dialog>
      )}
      {dialog}
    </PageSection>
  )
}

interface CodeFormProps {
  label: string
  go: string
  onCode: (code: string) => Promise<Fault | undefined>
}

function CodeForm({ label, go, onCode }: CodeFormProps) {
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setBusy(true)
    setFault(await onCode(formText(form, 'code').replaceAll(/\s/g, '')))
    setBusy(false)
  }
  return (
    <form className={css.form} onSubmit={(event) => void submit(event)}>
      <Field
        label={label}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        fault={fault?.problemOf('code') ?? fault?.inFull}
      />
      <Button kind="primary" type="submit" disabled={isBusy}>
        {go}
      </Button>
    </form>
  )
}
