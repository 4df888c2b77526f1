import { useState } from 'react'
import type { Change } from '#web/data/changes-query.ts'
import { Button } from '#web/parts/button.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'

const UndoDialog = loadedDialog(() =>
  import('#web/history/undo-dialog.tsx').then(({ UndoDialog }) => UndoDialog),
)

interface UndoButtonProps {
  changes: readonly Change[]
  words: string
}

/** Takes changes back, after a look at what that does. */
export function UndoButton({ changes, words }: UndoButtonProps) {
  const [isOpen, setOpen] = useState(false)
  if (changes.some(({ undone_by }) => undone_by !== null)) return null
  return (
    <>
      <Button kind="quiet" icon="undo" aria-label={`Undo: ${words}`} onClick={() => setOpen(true)}>
        Undo
      </Button>
      {isOpen && (
        <UndoDialog
          what={{ change_ids: changes.map(({ change_id }) => change_id) }}
          words={words}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
