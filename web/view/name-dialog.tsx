import { type FormEvent, useId, useState } from 'react'
import { Fault, toFault } from '#web/api/fault.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'

interface NameDialogProps {
  title: string
  name: string
  /** Of the button. */
  verb: string
  onClose: () => void
  onName: (name: string) => Promise<void>
}

/** Asks for the name of a view. */
export function NameDialog({ title, name, verb, onClose, onName }: NameDialogProps) {
  const form = useId()
  const [text, setText] = useState(name)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const done = await onName(text.trim()).catch(toFault)
    if (done instanceof Fault) {
      setFault(done)
      setBusy(false)
    } else onClose()
  }
  return (
    <Dialog
      title={title}
      firm={busy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form={form} disabled={busy || !text.trim()}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <Field
          label="Name"
          autoFocus
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
          fault={fault && (fault.problemOf('name') ?? fault.message)}
        />
      </form>
    </Dialog>
  )
}
