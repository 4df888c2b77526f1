import { useState } from 'react'
import type { Change } from '#web/data/changes-query.ts'
import { Button } from '#web/parts/button.tsx'
import { loaded } from '#web/parts/loaded.tsx'

const UndoDialog = loaded(() => import('#web/history/undo-dialog.tsx').then(({ UndoDialog }) => UndoDialog))

/** Takes one change back, after a look at what that does. */
export function UndoButton({ change }: { change: Change }) {
  const [isOpen, setOpen] = useState(false)
  if (change.undone_by !== null) return null
  return (
    <>
      <Button kind="quiet" icon="undo" aria-label={`Undo: ${change.summary}`} onClick={() => setOpen(true)}>
        Undo
      </Button>
      {isOpen && (
        <UndoDialog
          what={{ change_ids: [change.change_id] }}
          words={change.summary}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
