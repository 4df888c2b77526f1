import { useEffect, useState } from 'react'
import type { Fault } from '#web/api/fault.ts'
import { countdownText, useCountdown } from '#web/account/use-countdown.ts'
import { Icon } from '#web/parts/icon.tsx'
import css from '#web/account/account.module.css'

/** What went wrong, and how long to wait where that helps. */
export function FaultNote({ fault }: { fault: Fault }) {
  const left = useWait(fault)
  return (
    <p className={css.fault} role="alert">
      <Icon name="alert" />
      <span>
        {left === 0 && !fault.retryAfter ? fault.inFull : fault.message}
        {left > 0 && (
          <>
            {' '}
            Try again in <span aria-live="off">{countdownText(left)}</span>.
          </>
        )}
      </span>
    </p>
  )
}

/** Seconds until the service takes another try. */
export function useWait(fault: Fault | undefined): number {
  const [until, setUntil] = useState(0)
  useEffect(() => {
    setUntil(fault?.retryAfter ? Date.now() + fault.retryAfter * 1000 : 0)
  }, [fault])
  return useCountdown(until)
}
