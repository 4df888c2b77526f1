import { useItemName } from '#web/data/item-names.ts'
import { leaveStoppedUndo, type StoppedUndo, type UndoConflict } from '#web/data/undo-stack.ts'
import { ValueChange } from '#web/history/value-change.tsx'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import css from '#web/shell/undo-conflicts.module.css'

/** Shown one by one; the service lists all of them. */
const MOST = 50

/** What has been changed since and stays, and the choice to undo the rest. */
export function UndoConflicts({ words, conflicts, undoRest }: StoppedUndo) {
  const more = conflicts.length - MOST
  return (
    <Dialog
      title={undoRest ? 'Not all of it can be undone' : 'It cannot be undone'}
      width="wide"
      onClose={leaveStoppedUndo}
      footer={
        <>
          <Button onClick={leaveStoppedUndo}>Leave it as it is</Button>
          {undoRest && (
            <Button kind="primary" onClick={() => void undoRest()}>
              Undo the rest
            </Button>
          )}
        </>
      }
    >
      <p>
        {words}: {conflicts.length === 1 ? 'this has' : `these ${conflicts.length.toLocaleString()} have`}{' '}
        been changed since, and {undoRest ? 'would stay' : conflicts.length === 1 ? 'stays' : 'stay'}.
      </p>
      <ul className={css.list}>
        {conflicts.slice(0, MOST).map((conflict) => (
          <Line key={`${conflict.event_id} ${conflict.path}`} {...conflict} />
        ))}
      </ul>
      {more > 0 && <p>and {more.toLocaleString()} more</p>}
    </Dialog>
  )
}

function Line({ item_id, path, reason, suggestion, present, restored }: UndoConflict) {
  return (
    <li>
      <strong>
        {item_id && <Name item_id={item_id} />}
        {item_id && path && ' · '}
        {path}
      </strong>
      <p>{reason}</p>
      {path && (present ?? null) !== (restored ?? null) && (
        <ValueChange change={{ path, old: present, new: restored }} />
      )}
      {suggestion && <p className={css.way}>{suggestion}</p>}
    </li>
  )
}

function Name({ item_id }: { item_id: string }) {
  return useItemName(item_id) ?? item_id
}
