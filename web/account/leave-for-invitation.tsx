import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { FaultNote } from '#web/account/fault-note.tsx'
import { writesDone } from '#web/api/call.ts'
import type { Fault } from '#web/api/fault.ts'
import { meQuery } from '#web/data/me-query.ts'
import { endSession, sessionHasEnded } from '#web/data/sign-out.ts'
import { Button } from '#web/parts/button.tsx'
import { Name } from '#web/parts/name.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import css from '#web/account/account.module.css'

/** An invitation makes an account: whoever is signed in has one, and leaves it first or stays. */
export function LeaveForInvitation() {
  const me = useQuery(meQuery).data
  const [fault, setFault] = useState<Fault>()
  const [isBusy, alone] = useBusy()
  const leave = async () => {
    setFault(undefined)
    await writesDone()
    const why = await endSession()
    if (why) return setFault(why)
    sessionHasEnded()
  }
  if (!me) return null
  return (
    <>
      {fault && <FaultNote fault={fault} />}
      <p className={css.lead}>
        You are signed in as <Name of={me.email} />. An invitation makes a new account: sign out to use it.
      </p>
      <Button
        kind="primary"
        className={css.wide}
        disabled={isBusy}
        autoFocus
        onClick={() => void alone(leave)}
      >
        Sign out and use the invitation
      </Button>
      <p className={css.foot}>
        <Link href="/">Stay signed in</Link>
      </p>
    </>
  )
}
