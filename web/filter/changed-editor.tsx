import { useEffect, useState } from 'react'
import { TimeEditor } from '#web/filter/time-editor.tsx'
import css from '#web/filter/condition-editor.module.css'

interface ChangedEditorProps {
  value: unknown
  onValue: (value: unknown) => void
}

/** Within a week, which goes along with today. */
const USUAL = [{ today: -7 }, { now: 'PT0S' }] as const

/** From which time on, and before which: reported once both are whole. */
export function ChangedEditor({ value, onValue }: ChangedEditorProps) {
  const [times, setTimes] = useState<readonly [unknown, unknown]>(() =>
    Array.isArray(value) ? [value[0], value[1]] : USUAL,
  )
  useEffect(() => {
    if (value === undefined) onValue([...USUAL])
    // oxlint-disable-next-line react/exhaustive-deps -- once, as it is opened
  }, [])
  const change = (next: readonly [unknown, unknown]) => {
    setTimes(next)
    onValue(next.includes(undefined) ? undefined : [...next])
  }
  return (
    <>
      <fieldset className={css.plain}>
        <legend>From</legend>
        <TimeEditor type="Time" value={times[0]} onValue={(time) => change([time, times[1]])} />
      </fieldset>
      <fieldset className={css.plain}>
        <legend>Before</legend>
        <TimeEditor type="Time" value={times[1]} onValue={(time) => change([times[0], time])} />
      </fieldset>
    </>
  )
}
