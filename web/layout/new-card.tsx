import { type FormEvent, useState } from 'react'
import type { Row } from '#web/data/row-source.ts'
import { FaultLine } from '#web/parts/fault-line.tsx'
import type { NamedValues } from '#web/data/tag-renames.ts'
import type { ColumnTag } from '#web/rules/column.ts'
import type { Question } from '#web/rules/table-state.ts'
import { useLoadDefaults, withValues } from '#web/table/make-item.ts'
import { useNewItems } from '#web/table/use-new-items.ts'
import css from '#web/layout/new-card.module.css'

interface NewCardProps {
  question: Question
  tag: ColumnTag | undefined
  /** What the item gets by the place where it is made. */
  own: NamedValues & { tag_id: string }
  label: string
  onMade: (row: Row) => void
  onClose: () => void
}

/** Makes items in their place, one after the other: a name, Enter. */
export function NewCard({ question, tag, own, label, onMade, onClose }: NewCardProps) {
  const loadDefaults = useLoadDefaults()
  // Where others exchange names the place is the one where it was opened.
  const [chosen] = useState(own)
  const load = async () => withValues(await loadDefaults({ question, tag }), chosen)
  const { name, setName, enter, close, fault } = useNewItems({ load, onMade, onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) enter()
    else close()
  }
  return (
    <form
      className={css.form}
      onSubmit={submit}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') close()
      }}
      onBlur={() => {
        if (!name.trim() && !fault) close()
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
      {fault && <FaultLine className={css.fault}>{fault}</FaultLine>}
    </form>
  )
}
