import { useState } from 'react'
import { Fault, toFault } from '#web/api/fault.ts'
import type { View } from '#web/data/views-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { toast } from '#web/parts/toast.tsx'

interface DeleteViewDialogProps {
  view: View
  onClose: () => void
  onDelete: () => Promise<void>
}

/** A view has no way back; its items stay. */
export function DeleteViewDialog({ view, onClose, onDelete }: DeleteViewDialogProps) {
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const done = await onDelete().catch(toFault)
    if (done instanceof Fault) {
      toast({ text: done.message, kind: 'danger' })
      setBusy(false)
    } else {
      onClose()
      toast({ text: `Deleted the view ${view.name}` })
    }
  }
  return (
    <Dialog
      title={`Delete the view ${view.name}?`}
      firm={busy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="danger" disabled={busy} onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      <p>Its filter, order and columns are gone for good. The items that it shows stay.</p>
    </Dialog>
  )
}
