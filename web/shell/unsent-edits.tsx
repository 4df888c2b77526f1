import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from '#web/data/me-query.ts'
import { sendUnsent } from '#web/data/send-unsent.ts'
import { openUnsent, stopUnsent, type Unsent, useUnsent } from '#web/data/unsent-edits.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { toast } from '#web/parts/toast.tsx'

/** Sends what earlier pages of this account could not; what cannot be sent as it is, is for the person to say. */
export function UnsentEdits() {
  const user_id = useQuery(meQuery).data?.user_id
  const { stopped } = useUnsent()
  const [later, setLater] = useState<readonly Unsent[]>()
  useEffect(() => {
    if (user_id) openUnsent(user_id, (edits) => void sendUnsent(edits))
  }, [user_id])
  if (!stopped.length || later === stopped) return null
  const isAnyGone = stopped.some(({ isGone }) => isGone)
  const isAnyOut = stopped.some(({ why }) => why !== undefined)
  const finish = (send: boolean) => {
    const edits = stopped
    stopUnsent([])
    if (send) void sendUnsent(edits, true)
  }
  return (
    <Dialog
      title="Not sent yet"
      onClose={() => {
        setLater(stopped)
        toast({
          text: 'Not sent yet: what you typed is kept until you send or drop it.',
          kind: 'danger',
          action: { label: 'Look at it', run: () => setLater(undefined) },
        })
      }}
      footer={
        <>
          <Button kind="danger" onClick={() => finish(false)}>
            Drop {stopped.length === 1 ? 'it' : 'them'}
          </Button>
          <Button kind="primary" onClick={() => finish(true)}>
            {isAnyGone ? 'Restore and send' : 'Send all the same'}
          </Button>
        </>
      }
    >
      <p>
        {isAnyOut
          ? 'Somebody has changed tags or fields while you typed, and there is no place for this any more. What you typed is kept here: copy it, or send it once its place is there again. An item that has lost its tag gets it again.'
          : isAnyGone
            ? 'Somebody has deleted or changed these items while you typed. What you typed is kept here. What is deleted can be restored, and has it then.'
            : 'You typed this before the page was left, and it could not be sent then. Somebody has changed these items since.'}
      </p>
      <ul>
        {stopped.slice(0, SHOWN).map(({ item_id, tag_id, name, field, value, isGone, why }) => (
          <li key={`${item_id} ${tag_id} ${field}`}>
            {name}
            {isGone ? ' (deleted)' : why !== undefined && ` (${why})`}, {field}:{' '}
            {value === null ? 'nothing' : JSON.stringify(value)}
          </li>
        ))}
      </ul>
      {stopped.length > SHOWN && <p>and {stopped.length - SHOWN} more</p>}
    </Dialog>
  )
}

/** Before the rest, which is said as a number. */
const SHOWN = 20
