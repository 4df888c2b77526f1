import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import { RegisterForm } from '#web/account/register-form.tsx'
import { Arrived } from '#web/account/arrived.tsx'
import { LeaveForInvitation } from '#web/account/leave-for-invitation.tsx'
import { ProviderLinks } from '#web/account/provider-links.tsx'
import { useArrival, withNext } from '#web/account/use-arrival.ts'
import { sessionState } from '#web/api/session-state.ts'
import { type Service, serviceQuery } from '#web/data/service-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Mark } from '#web/parts/mark.tsx'
import css from '#web/account/account.module.css'

/** Making an account, by an invitation too: `/register` and `/invite/:token`. */
export function RegisterPage() {
  const { token } = useParams<{ token?: string }>()
  const [query] = useSearchParams()
  const next = query.get('next')
  const arrive = useArrival(next)
  const [isDone, setDone] = useState(false)
  const service = useQuery(serviceQuery).data
  const isSignedIn = sessionState() === 'signed_in'
  if (isSignedIn && (!token || isDone)) return <Arrived next={next} />
  const done = () => {
    setDone(true)
    arrive()
  }
  return (
    <main className={css.page}>
      <span className={css.stone}>
        <Mark size={720} />
      </span>
      <div className={css.card}>
        <header>
          <Mark size={36} />
          <h1>Make an account</h1>
          {token && <p className={css.lead}>You have been invited.</p>}
        </header>
        {isSignedIn ? (
          <LeaveForInvitation />
        ) : (
          <>
            {service && <Ways service={service} token={token} onDone={done} />}
            <p className={css.foot}>
              You have one? <Link href={withNext('/sign-in', next)}>Sign in</Link>
            </p>
          </>
        )}
      </div>
    </main>
  )
}

interface WaysProps {
  service: Service
  /** Of an invitation. */
  token: string | undefined
  onDone: () => void
}

/** What makes an account here. */
function Ways({ service, token, onDone }: WaysProps) {
  const { registration, passwords } = service
  const [isInvited, setInvited] = useState(false)
  if (registration === 'closed' && !token && passwords !== false)
    return (
      <p className={css.lead}>Registration is closed. Ask the operator of this service for an account.</p>
    )
  if (passwords === false || (registration === 'domain' && !token && !isInvited))
    return (
      <>
        <p className={css.lead}>{wayWords(service, token !== undefined)}</p>
        <div className={css.ways}>
          <ProviderLinks service={service} />
          {passwords !== false && (
            <Button className={css.wide} onClick={() => setInvited(true)}>
              I have an invitation
            </Button>
          )}
        </div>
      </>
    )
  return <RegisterForm onDone={onDone} invitedOnly={isInvited} {...(token && { invitation: token })} />
}

function wayWords({ registration, passwords, providers }: Service, hasInvitation: boolean): string {
  const open = registration === 'domain' && !hasInvitation
  const domains = open ? 'Registration is open to addresses of certain domains. ' : ''
  if (passwords !== false && !providers.length) return `${domains}A password needs an invitation.`
  const address = hasInvitation ? 'the address that was invited' : 'your address'
  return `${domains}Sign in with a provider that knows ${address}: that makes your account.`
}
