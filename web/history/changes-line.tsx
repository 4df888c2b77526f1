import type { Change } from '#web/data/changes-query.ts'
import { ChangeLine } from '#web/history/change-line.tsx'
import { UndoButton } from '#web/history/undo-button.tsx'
import { foldedWords } from '#web/rules/fold-changes.ts'
import css from '#web/history/changes-line.module.css'

interface ChangesLineProps {
  /** Newest first. */
  changes: readonly Change[]
  canUndo?: boolean
  /** What they did together. */
  words?: string
}

/** A change in a line; the parts of an import in one, which opens to them. */
export function ChangesLine({ changes, canUndo = false, words = foldedWords(changes) }: ChangesLineProps) {
  const [newest] = changes
  if (!newest) return null
  const undo = canUndo && <UndoButton changes={changes} words={words} />
  if (changes.length === 1) return <ChangeLine change={newest}>{undo}</ChangeLine>
  return (
    <ChangeLine
      change={newest}
      words={words}
      more={
        <details className={css.parts}>
          <summary>In {changes.length} parts</summary>
          <ul>
            {changes.map((change) => (
              <ChangeLine key={change.change_id} change={change} />
            ))}
          </ul>
        </details>
      }
    >
      {undo}
    </ChangeLine>
  )
}
