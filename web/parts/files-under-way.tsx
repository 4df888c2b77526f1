import { Button } from '#web/parts/button.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import css from '#web/parts/files-under-way.module.css'

export interface FileSending {
  file: File
  /** How much of it has gone, 0 to 100. */
  percent: number
  stop: () => void
}

/** What did not arrive, and why. */
export interface FileUnsent {
  file: File
  why: string
}

interface FilesUnderWayProps {
  sending: readonly FileSending[]
  unsent: readonly FileUnsent[]
  onAgain: (file: File) => void
}

/** What a picture from the clipboard is called that has no name. */
const nameOf = ({ name }: File): string => name || 'the pasted file'

/** What is being sent and can be stopped, and what did not arrive and can be sent again. */
export function FilesUnderWay({ sending, unsent, onAgain }: FilesUnderWayProps) {
  return (
    <>
      {sending.length > 0 && (
        <p className={css.hint} role="status">
          Sending {sending.map(({ file }) => nameOf(file)).join(', ')} …
        </p>
      )}
      {sending.map(({ file, percent, stop }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- in their order; two may have one name
        <div key={i} className={css.line}>
          <progress
            className={css.progress}
            aria-label={`Sent of ${nameOf(file)}`}
            max={100}
            value={percent}
          />
          <span className={css.hint}>{percent} %</span>
          <Button kind="quiet" icon="stop" onClick={stop}>
            Stop sending {nameOf(file)}
          </Button>
        </div>
      ))}
      {unsent.map(({ file, why }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- in their order; two may have one name
        <div key={i}>
          <FaultLine>
            {nameOf(file)} was not sent: {why}
          </FaultLine>
          <Button kind="quiet" onClick={() => onAgain(file)}>
            Send {nameOf(file)} again
          </Button>
        </div>
      ))}
    </>
  )
}
