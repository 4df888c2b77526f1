import { useState } from 'react'
import type { useConfirmed } from '#web/account/use-confirmed.tsx'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { createResetLink } from '#web/api/operations.ts'
import { Button } from '#web/parts/button.tsx'
import { CopyButton } from '#web/parts/copy-button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { sayMoment } from '#web/rules/say-time.ts'
import css from '#web/parts/settings.module.css'

interface ResetLinkButtonProps {
  user_id: string
  /** For people. */
  name: string
  confirmed: ReturnType<typeof useConfirmed>[0]
}

/** Makes the link by which somebody who has forgotten the password sets a new one. */
export function ResetLinkButton({ user_id, name, confirmed }: ResetLinkButtonProps) {
  const [made, setMade] = useState<{ url: string; expires_at: string }>()
  const [isBusy, alone] = useBusy()
  const make = async () => {
    const answer = await confirmed(() => call(createResetLink, { user_id }))
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    else setMade(answer.data)
  }
  return (
    <>
      <Button
        kind="quiet"
        aria-label={`Password link for ${name}`}
        disabled={isBusy}
        onClick={() => void alone(make)}
      >
        Password link
      </Button>
      {made && (
        <Dialog
          title={`A new password for ${name}`}
          onClose={() => setMade(undefined)}
          footer={<CopyButton text={made.url} label="Copy the link" />}
        >
          <p>
            Send this to {name}. It works once, until {sayMoment(made.expires_at)}, and is shown only here.
          </p>
          <code className={css.code}>{made.url}</code>
        </Dialog>
      )}
    </>
  )
}
