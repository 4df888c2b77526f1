import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'wouter'
import { RegisterForm } from '#web/account/register-form.tsx'
import { Arrived } from '#web/account/arrived.tsx'
import { useArrival } from '#web/account/use-arrival.ts'
import { sessionState } from '#web/api/session-state.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { Mark } from '#web/parts/mark.tsx'
import css from '#web/account/account.module.css'

/** Making an account, by an invitation too: `/register` and `/invite/:token`. */
export function RegisterPage() {
  const { token } = useParams<{ token?: string }>()
  const [query] = useSearchParams()
  const next = query.get('next')
  const arrive = useArrival(next)
  const service = useQuery(serviceQuery).data
  if (sessionState() === 'signed_in') return <Arrived next={next} />
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
          {service?.registration === 'domain' && !token && (
            <p className={css.lead}>Registration is open to addresses of certain domains.</p>
          )}
        </header>
        {service?.passwords === false ? (
          <p className={css.lead}>
            Sign in with a provider that knows {token ? 'the address that was invited' : 'your address'}: that
            makes your account.
          </p>
        ) : service?.registration === 'closed' && !token ? (
          <p className={css.lead}>Registration is closed. Ask the operator of this service for an account.</p>
        ) : (
          <RegisterForm onDone={arrive} {...(token && { invitation: token })} />
        )}
        <p className={css.foot}>
          You have one? <Link href="/sign-in">Sign in</Link>
        </p>
      </div>
    </main>
  )
}
