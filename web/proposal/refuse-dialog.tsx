import { type FormEvent, useId, useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { TextField } from '#web/parts/field.tsx'

const MOST = 10_000

interface RefuseDialogProps {
  summary: string
  isBusy: boolean
  onRefuse: (reason: string) => void
  onClose: () => void
}

/** Asks why; who proposed it reads the answer. */
export function RefuseDialog({ summary, isBusy, onRefuse, onClose }: RefuseDialogProps) {
  const [reason, setReason] = useState('')
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRefuse(reason.trim())
  }
  return (
    <Dialog
      title={`Refuse: ${summary}`}
      firm={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form={form} disabled={isBusy}>
            Refuse
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          label="Reason"
          hint="Who proposed it reads this. It may stay empty."
          maxLength={MOST}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
