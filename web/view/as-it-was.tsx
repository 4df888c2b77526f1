import { useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { Chip } from '#web/parts/chip.tsx'
import { DateInput } from '#web/parts/date-input.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Popover } from '#web/parts/popover.tsx'
import { sayTyped, thisReader, typedDate } from '#web/rules/typed-date.ts'
import css from '#web/view/as-it-was.module.css'

interface AsItWasProps {
  /** The moment that is shown; null: the present. */
  at: string | null
  onAt: (at: string | null) => void
}

/** As of which moment a table shows the base. */
export function AsItWas({ at, onAt }: AsItWasProps) {
  const [open, setOpen] = useState(false)
  const [reader] = useState(thisReader)
  const words = at === null ? 'As it was …' : `As it was on ${sayTyped(at, reader, 'short')}`
  const button = (
    <>
      <Icon name="history" />
      {words}
    </>
  )
  const className = at === null ? `${css.open} ${css.sign}` : css.open
  const popover = (
    <Popover label="As it was" open={open} onOpen={setOpen} buttonClassName={className} button={button}>
      {(close) => (
        <AMoment
          onAt={(next) => {
            onAt(next)
            close()
          }}
        />
      )}
    </Popover>
  )
  if (at === null) return popover
  return (
    <Chip remove="Back to the present" onRemove={() => onAt(null)}>
      {popover}
    </Chip>
  )
}

function AMoment({ onAt }: { onAt: (at: string) => void }) {
  const [reader] = useState(thisReader)
  const [text, setText] = useState('')
  const read = typedDate('Any', text, reader)
  const moment = read.is === 'value' ? momentOf(read.value) : undefined
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (moment !== undefined) onAt(moment)
      }}
    >
      <DateInput
        kind="Any"
        label="As it was on"
        example="yesterday, 12 Mar …"
        text={text}
        onText={setText}
        autoFocus
      />
      <p className={css.note}>A day is shown as it ended.</p>
      <Button type="submit" kind="primary" disabled={moment === undefined}>
        Show
      </Button>
    </form>
  )
}

/** Of a day its last moment, where the reader is. */
function momentOf(value: string): string | undefined {
  const time = value.length === 'YYYY-MM-DD'.length ? new Date(`${value}T23:59:59.999`) : new Date(value)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** That nothing can be changed there. */
export function PastNote({ at, onAt }: { at: string; onAt: (at: string | null) => void }) {
  const [reader] = useState(thisReader)
  return (
    <p className={css.past} role="status">
      <Icon name="history" size={14} />
      <span>
        As it was on {sayTyped(at, reader, 'short')}: nothing can be changed here. An item opens as it is
        today.
      </span>
      <Button kind="quiet" onClick={() => onAt(null)}>
        Back to the present
      </Button>
    </p>
  )
}
