import { type FormEvent, useRef, useState } from 'react'
import { Fault, toFault } from '#web/api/fault.ts'
import type { Row } from '#web/data/row-source.ts'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { say } from '#web/parts/live-region.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import type { ColumnTag } from '#web/rules/column.ts'
import type { Question } from '#web/rules/table-state.ts'
import { makeItem, useLoadDefaults, withValues } from '#web/table/make-item.ts'
import { faultWords, useNames } from '#web/table/use-names.ts'
import css from '#web/layout/new-card.module.css'

interface NewCardProps {
  question: Question
  tag: ColumnTag | undefined
  /** What the item gets by the place where it is made. */
  own: { tag_id: string; values: Readonly<Record<string, unknown>> }
  label: string
  onMade: (row: Row) => void
  onClose: () => void
}

/** Makes items in their place, one after the other: a name, Enter. */
export function NewCard({ question, tag, own, label, onMade, onClose }: NewCardProps) {
  const { name, setName, left, next, giveBack } = useNames()
  const [fault, setFault] = useState<string>()
  const loadDefaults = useLoadDefaults()
  useLeaveGuard(name.trim() !== '' || left.length > 0)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim()
    if (!given) return onClose()
    next()
    setFault(undefined)
    queue.current = queue.current.then(async () => {
      const defaults = withValues(await loadDefaults({ question, tag }), own.tag_id, own.values)
      const made = await makeItem(given, defaults).catch(toFault)
      if (made instanceof Fault) {
        giveBack(given)
        return setFault(`${given} was not made: ${made.message}`)
      }
      onMade(made)
      say(`Made ${made.name}`)
    })
  }
  return (
    <form
      className={css.form}
      onSubmit={submit}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') onClose()
      }}
      onBlur={() => {
        if (!name.trim() && !fault) onClose()
      }}
    >
      <input
        className={css.name}
        aria-label={label}
        placeholder="Name, Enter"
        value={name}
        autoFocus
        onChange={(event) => setName(event.target.value)}
      />
      {fault && <FaultLine className={css.fault}>{faultWords(fault, left)}</FaultLine>}
    </form>
  )
}
