import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useSearchParams } from 'wouter'
import { authErrorWords } from '#web/account/auth-error-words.ts'
import { forgetLinking, linkProvider } from '#web/account/link-provider.ts'
import { addPasskey, passkeyObstacle } from '#web/account/passkey.ts'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import {
  deleteOtherSessions,
  deletePasskey,
  deleteSession,
  listPasskeys,
  listSessions,
  unlinkProvider,
} from '#web/api/operations.ts'
import { meQuery, type User } from '#web/data/me-query.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import { ActivityList } from '#web/account/activity-list.tsx'
import { TotpSettings } from '#web/account/totp-settings.tsx'
import css from '#web/parts/settings.module.css'

/** Every way in, and who is in. */
export function SecuritySettings() {
  const me = useQuery(meQuery).data
  const [query] = useSearchParams()
  const error = query.get('auth_error')
  useEffect(forgetLinking, [])
  if (!me) return null
  return (
    <>
      {error !== null && <Note kind="danger">{authErrorWords(error)}</Note>}
      <Linked me={me} provider={query.get('linked')} />
      <TotpSettings me={me} />
      <Passkeys />
      <Providers me={me} />
      <Sessions />
      <PageSection
        title="Your activity"
        lead="What happened around your account. What you do not recognise: end the session, change the password."
      >
        <ActivityList />
      </PageSection>
    </>
  )
}

/** What came of leaving for a provider, as long as it holds. */
function Linked({ me, provider }: { me: User; provider: string | null }) {
  const service = useQuery(serviceQuery).data
  const linked = service?.providers.find(({ id }) => id === provider)
  if (!linked || !me.oauth_providers.includes(linked.id)) return null
  return (
    <Note kind="good">
      <p role="status">{linked.name} is linked: it lets you in here from now on.</p>
    </Note>
  )
}

function Passkeys() {
  const client = useQueryClient()
  const service = useQuery(serviceQuery).data
  const { data: passkeys = [] } = useQuery({
    queryKey: ['passkeys'],
    queryFn: async ({ signal }) => (await call(listPasskeys, {}, { signal })).data,
    staleTime: 0,
  })
  const [confirmed, dialog] = useConfirmed()
  const form = useId()
  const [isNaming, setNaming] = useState(false)
  const [isBusy, alone] = useBusy()
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const obstacle = service && passkeyObstacle(service.public_url)
  const begin = () => {
    setFault(undefined)
    setNaming(true)
  }
  const renew = () => {
    void client.invalidateQueries({ queryKey: ['passkeys'] })
    void client.invalidateQueries({ queryKey: ['activity'] })
    void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  const add = async () => {
    setFault(undefined)
    const answer = await confirmed(() => addPasskey(name.trim() || 'Passkey'))
    if (answer instanceof Fault) return setFault(answer.message)
    setNaming(false)
    setName('')
    toast({ text: 'Added a passkey' })
    renew()
  }
  const remove = async (credential_id: string) => {
    const answer = await confirmed(() => call(deletePasskey, { credential_id }))
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    renew()
  }
  return (
    <PageSection
      title="Passkeys"
      lead="Sign in with this device’s lock instead of a password."
      actions={
        !obstacle && (
          <Button icon="passkey" onClick={begin}>
            Add a passkey
          </Button>
        )
      }
    >
      {obstacle && (
        <Note>
          <p>{obstacle.href ? <a href={obstacle.href}>{obstacle.text}</a> : obstacle.text}</p>
        </Note>
      )}
      {passkeys.length > 0 && (
        <ul className={css.list}>
          {passkeys.map(({ credential_id, name: called, created_at }) => (
            <li key={credential_id} className={css.row}>
              <div className={css.what}>
                {called}
                <p className={css.about}>since {sayMoment(created_at)}</p>
              </div>
              <Button kind="quiet" aria-label={`Remove ${called}`} onClick={() => void remove(credential_id)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isNaming && (
        <Dialog
          title="Add a passkey"
          onClose={() => setNaming(false)}
          footer={
            <Button kind="primary" type="submit" form={form} disabled={isBusy}>
              Go on
            </Button>
          }
        >
          <form
            id={form}
            onSubmit={(event) => {
              event.preventDefault()
              void alone(add)
            }}
          >
            <Field
              label="What you call it"
              hint="E.g. the device it lives on."
              placeholder="Laptop"
              maxLength={200}
              autoFocus
              value={name}
              fault={fault}
              onChange={(event) => setName(event.target.value)}
            />
          </form>
        </Dialog>
      )}
      {dialog}
    </PageSection>
  )
}

function Providers({ me }: { me: User }) {
  const client = useQueryClient()
  const service = useQuery(serviceQuery).data
  const [confirmed, dialog] = useConfirmed()
  const [isBusy, alone] = useBusy()
  if (!service?.providers.length) return null
  const link = async (provider: string) => {
    const answer = await confirmed(() => linkProvider(provider))
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
  }
  const unlink = async (provider: string) => {
    const answer = await confirmed(() => call(unlinkProvider, { provider }))
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <PageSection title="Providers" lead="Accounts elsewhere that let you in here.">
      <ul className={css.list}>
        {service.providers.map(({ id, name }) => (
          <li key={id} className={css.row}>
            <div className={css.what}>{name}</div>
            {me.oauth_providers.includes(id) ? (
              <Button kind="quiet" aria-label={`Unlink ${name}`} onClick={() => void unlink(id)}>
                Unlink
              </Button>
            ) : (
              <Button disabled={isBusy} onClick={() => void alone(() => link(id))}>
                Link {name}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </PageSection>
  )
}

function Sessions() {
  const client = useQueryClient()
  const { data: sessions = [] } = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await call(listSessions, {}, { signal })).data,
    staleTime: 0,
  })
  const renew = () => client.invalidateQueries({ queryKey: ['sessions'] })
  const end = async (run: () => Promise<unknown>, words: string) => {
    try {
      await run()
      toast({ text: words })
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'danger' })
    }
    await renew()
  }
  return (
    <PageSection
      title="Sessions"
      lead="Where you are signed in."
      actions={
        sessions.length > 1 && (
          <Button onClick={() => void end(() => call(deleteOtherSessions, {}), 'Ended all other sessions')}>
            End all others
          </Button>
        )
      }
    >
      <ul className={css.list}>
        {sessions.map(({ session_id, user_agent, address, created_at, last_used_at, current }) => (
          <li key={session_id} className={css.row}>
            <div className={css.what}>
              {browserWords(user_agent)} {current && '· this one'}
              <p className={css.about}>
                {address ?? 'unknown address'} · since {sayShort(created_at)}
                {last_used_at && ` · last used ${sayShort(last_used_at)}`}
              </p>
            </div>
            {!current && (
              <Button
                kind="quiet"
                onClick={() => void end(() => call(deleteSession, { session_id }), 'Ended the session')}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </PageSection>
  )
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox on Linux`; what is no browser says itself what it is. */
function browserWords(agent: string | null): string {
  if (!agent) return 'Unknown program'
  const browser = BROWSERS.find(([sign]) => agent.includes(sign))?.[1]
  const system = SYSTEMS.find(([sign]) => agent.includes(sign))?.[1]
  if (!browser) return agent.slice(0, 80)
  return system ? `${browser} on ${system}` : browser
}
