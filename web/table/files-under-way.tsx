import { Button } from '#web/parts/button.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import type { useSending } from '#web/table/use-sending.ts'
import css from '#web/table/file-editor.module.css'

/** What is being sent and can be stopped, and what did not arrive and can be sent again. */
export function FilesUnderWay({ sending, unsent, send }: ReturnType<typeof useSending>) {
  return (
    <>
      {sending.length > 0 && (
        <p className={css.hint} role="status">
          Sending {sending.map(({ file }) => file.name).join(', ')} …
        </p>
      )}
      {sending.map(({ file, stop }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- in their order; two may have one name
        <div key={i}>
          <Button kind="quiet" icon="stop" onClick={() => stop.abort()}>
            Stop sending {file.name}
          </Button>
        </div>
      ))}
      {unsent.map(({ file, why }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- in their order; two may have one name
        <div key={i}>
          <FaultLine>
            {file.name} was not sent: {why}
          </FaultLine>
          <Button kind="quiet" onClick={() => send(file)}>
            Send {file.name} again
          </Button>
        </div>
      ))}
    </>
  )
}
