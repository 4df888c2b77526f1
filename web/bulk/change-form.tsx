import { useId, useState } from 'react'
import { FieldAround } from '#web/parts/field.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { type FieldColumn, columnsOf } from '#web/rules/column.ts'
import type { BulkBarProps, BulkKind } from '#web/bulk/bulk-props.ts'
import type { BulkEdit, SetEdit } from '#web/bulk/bulk-edit.ts'
import { BulkValue } from '#web/bulk/bulk-value.tsx'
import css from '#web/bulk/bulk.module.css'

interface ChangeFormProps extends Pick<BulkBarProps, 'tags' | 'first' | 'ItemsPicker'> {
  kind: Exclude<BulkKind, 'delete'>
  /** null: it is not yet said what. */
  onChange: (change: BulkEdit | null) => void
}

/** Which tag, or which field and what value. */
export function ChangeForm(props: ChangeFormProps) {
  return props.kind === 'set' ? <SetField {...props} /> : <ChooseTag {...props} kind={props.kind} />
}

function ChooseTag({ kind, tags, onChange }: ChangeFormProps & { kind: 'add' | 'remove' }) {
  const id = useId()
  const [chosen, setChosen] = useState('')
  return (
    <FieldAround id={id} label="Tag">
      <Listbox
        id={id}
        value={chosen}
        placeholder="Choose a tag"
        options={tags.map(({ tag_id, name }) => [tag_id, name] as const)}
        onValue={(tag_id) => {
          setChosen(tag_id)
          onChange({ kind, tag_id })
        }}
      />
    </FieldAround>
  )
}

function SetField({ tags, first, onChange, ItemsPicker }: ChangeFormProps) {
  const id = useId()
  const [key, setKey] = useState('')
  const inOrder = [...first, ...tags.filter((tag) => !first.includes(tag))]
  const groups = inOrder.map((tag) => ({ tag, columns: fieldsOf(tag) }))
  const column = groups.flatMap(({ columns }) => columns).find((each) => each.key === key)
  const take = (value: unknown, how: SetEdit['how']) => {
    if (!column || value === undefined) return onChange(null)
    const { tag_id, updated_at } = column.tag
    onChange({ kind: 'set', how, tag_id, field: column.field.name, value, tag_updated_at: updated_at })
  }
  return (
    <div className={css.form}>
      <FieldAround id={id} label="Field" hint={column?.description}>
        <Listbox
          id={id}
          value={key}
          placeholder="Choose a field"
          options={groups.flatMap(({ tag, columns }) =>
            columns.map((each) => [each.key, each.field.name, tag.name] as const),
          )}
          onValue={(next) => {
            setKey(next)
            onChange(null)
          }}
        />
      </FieldAround>
      {column && <BulkValue key={column.key} column={column} onValue={take} ItemsPicker={ItemsPicker} />}
    </div>
  )
}

const fieldsOf = (tag: BulkBarProps['tags'][number]): FieldColumn[] =>
  columnsOf([tag]).filter((column) => column.kind === 'field')
