import { useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { newField } from '#web/rules/tag-draft.ts'
import type { FieldListProps } from '#web/tag/draft-edit.ts'
import { FieldRow } from '#web/tag/field-row.tsx'
import { useReorder } from '#web/parts/use-reorder.ts'
import css from '#web/tag/field-list.module.css'

/** Fields as rows, in their order. */
export function FieldList({ of, fields, edit, onFields, isSub = false }: FieldListProps) {
  const { dragged, onPointerDown, onKeyDown } = useReorder(fields, onFields)
  const [added, setAdded] = useState<string | null>(null)
  const add = () => {
    const field = newField()
    setAdded(field.key)
    onFields([...fields, field])
  }
  return (
    <div className={`${css.around} ${isSub ? css.sub : ''}`}>
      {fields.length > 0 && (
        <ul className={css.list} aria-label={`Fields of ${of}`}>
          {fields.map((field) => (
            <FieldRow
              key={field.key}
              field={field}
              edit={edit}
              isNew={field.key === added}
              isDragged={field.key === dragged}
              onGrip={onPointerDown(field.key)}
              onKeyDown={onKeyDown(field.key)}
              onEnter={add}
            />
          ))}
        </ul>
      )}
      {!fields.length && !isSub && (
        <p className={css.none}>
          None yet. A field is what an item says of itself: a date, a status, who it is of.
        </p>
      )}
      <Button kind={isSub ? 'quiet' : 'plain'} icon="plus" className={css.add} onClick={add}>
        {isSub ? `Add a field for ${of}` : 'Add a field'}
      </Button>
    </div>
  )
}
