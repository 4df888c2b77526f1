import { type ReactNode, useRef, useState } from 'react'
import { Fault, toFault } from '#web/api/fault.ts'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'

const ConfirmDialog = loadedDialog<Asked>(() =>
  import('#web/account/confirm-dialog.tsx').then(({ ConfirmDialog }) => ConfirmDialog),
)

interface Asked {
  /** `password`, `totp`, `passkey`; none: only signing in again helps. */
  ways: readonly string[]
  onDone: (confirmed: boolean) => void
  onClose: () => void
}

/**
 * Runs what may ask for a fresh proof: where the service says so, the person gives it in a dialog, and the call goes on.
 * The dialog is to be drawn by the one that asks.
 */
export function useConfirmed(): [<T>(run: () => Promise<T>) => Promise<T | Fault>, ReactNode] {
  const [asked, setAsked] = useState<Asked | null>(null)
  const waiting = useRef(false)
  const confirmed = async <T,>(run: () => Promise<T>): Promise<T | Fault> => {
    for (;;) {
      const answer = await run().catch(toFault)
      const ways = answer instanceof Fault ? answer.details['confirm'] : undefined
      if (!Array.isArray(ways) || waiting.current) return answer
      waiting.current = true
      const goesOn = await new Promise<boolean>((onDone) =>
        setAsked({ ways: ways as string[], onDone, onClose: () => onDone(false) }),
      )
      waiting.current = false
      setAsked(null)
      if (!goesOn) return answer
    }
  }
  const dialog = asked && <ConfirmDialog {...asked} />
  return [confirmed, dialog]
}
