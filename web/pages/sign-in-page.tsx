import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { authErrorWords } from '#web/account/auth-error-words.ts'
import { SignInForm } from '#web/account/sign-in-form.tsx'
import { Arrived } from '#web/account/arrived.tsx'
import { useArrival, withNext } from '#web/account/use-arrival.ts'
import { sessionState } from '#web/api/session-state.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Mark } from '#web/parts/mark.tsx'
import css from '#web/account/account.module.css'

export function SignInPage() {
  const [query] = useSearchParams()
  const next = query.get('next')
  const error = query.get('auth_error')
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
          <h1>Sign in to Facet</h1>
        </header>
        {error && (
          <p className={css.fault} role="alert">
            <Icon name="alert" />
            <span>{authErrorWords(error)}</span>
          </p>
        )}
        <SignInForm onDone={arrive} />
        {service && service.registration !== 'closed' && service.passwords !== false && (
          <p className={css.foot}>
            New here? <Link href={withNext('/register', next)}>Make an account</Link>
          </p>
        )}
      </div>
    </main>
  )
}
