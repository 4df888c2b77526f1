import { useState } from 'react'
import { passkeyObstacle, signInWithPasskey } from '#web/account/passkey.ts'
import { ProviderLinks } from '#web/account/provider-links.tsx'
import { type Fault, toFault } from '#web/api/fault.ts'
import type { Service } from '#web/data/service-query.ts'
import { Button } from '#web/parts/button.tsx'
import css from '#web/account/account.module.css'

interface OtherWaysProps {
  service: Service
  providers: boolean
  /** Undefined where none has been typed, which the field then says itself. */
  email: () => string | undefined
  onFault: (fault: Fault | undefined) => void
  onDone: () => void
}

/** Signing in without a password: a passkey, an identity provider. */
export function OtherWays({ service, providers, email, onFault, onDone }: OtherWaysProps) {
  const [busy, setBusy] = useState(false)
  const obstacle = passkeyObstacle(service.public_url)
  const passkey = async () => {
    const typed = email()
    if (typed === undefined) return
    setBusy(true)
    onFault(undefined)
    const fault = await signInWithPasskey(typed).catch(toFault)
    setBusy(false)
    if (fault) onFault(fault)
    else onDone()
  }
  return (
    <>
      {service.passwords !== false && <p className={css.or}>or</p>}
      <div className={css.ways}>
        {service.passkeys && !obstacle && (
          <Button icon="passkey" className={css.wide} disabled={busy} onClick={() => void passkey()}>
            Sign in with a passkey
          </Button>
        )}
        {service.passkeys && obstacle && (
          <p className={css.note}>
            {obstacle.text} {obstacle.href && <a href={obstacle.href}>Go there</a>}
          </p>
        )}
        {providers && <ProviderLinks service={service} />}
      </div>
    </>
  )
}
