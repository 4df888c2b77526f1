import { useState } from 'react'
import { ResetForm } from '#web/account/reset-form.tsx'
import { usePasswords } from '#web/data/use-passwords.ts'
import { Mark } from '#web/parts/mark.tsx'
import css from '#web/account/account.module.css'

/** Where the link leads by which somebody sets a new password: `/reset#TOKEN`. */
export function ResetPage() {
  const [token] = useState(() => location.hash.slice(1))
  const [done, setDone] = useState(false)
  const passwords = usePasswords()
  return (
    <main className={css.page}>
      <span className={css.stone}>
        <Mark size={720} />
      </span>
      <div className={css.card}>
        <header>
          <Mark size={36} />
          <h1>Set a new password</h1>
          {done && (
            <p className={css.lead} role="status">
              It is set, and all sessions of your account have ended. Sign in with it.
            </p>
          )}
          {!passwords && (
            <p className={css.lead}>Passwords are off here. Sign in with a passkey or a provider.</p>
          )}
          {passwords && !token && (
            <p className={css.lead}>This link is not whole. Open all of it, or ask an owner for a new one.</p>
          )}
        </header>
        {passwords && token && !done && <ResetForm token={token} onDone={() => setDone(true)} />}
        <p className={css.foot}>
          {/* Loaded anew: the session of this browser may have been one of those that ended. */}
          <a href="/sign-in">Sign in</a>
        </p>
      </div>
    </main>
  )
}
