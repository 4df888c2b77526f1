import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { createTag } from '#web/api/operations.ts'
import { tagsQuery } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import type { TableText } from '#web/import/read-table.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import { formText } from '#web/parts/form-text.ts'
import { fieldsFrom } from '#web/rules/guess-fields.ts'
import css from '#web/import/new-tag-from-table.module.css'

interface NewTagFromTableProps {
  table: TableText
  isMaking: boolean
  onMaking: (isMaking: boolean) => void
  onMade: (tag_id: string) => void
}

/** A new tag whose fields are the columns, with the types that their values fit. */
export function NewTagFromTable({ table, isMaking, onMaking, onMade }: NewTagFromTableProps) {
  const client = useQueryClient()
  const [fault, setFault] = useState<Fault>()
  const fields = fieldsFrom(table.headings, table.rows)
  const words = Object.entries(fields).map(
    ([name, type]) => `${name} (${typeof type === 'string' ? type : type.type})`,
  )
  const make = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = formText(event.currentTarget, 'name').trim()
    onMaking(true)
    setFault(undefined)
    const answer = await call(createTag, { name, fields: { ...fields } }).catch(toFault)
    if (answer instanceof Fault) {
      onMaking(false)
      return setFault(answer)
    }
    keepChange(`Made the tag ${name}`, answer.change_id, () => client.invalidateQueries())
    await client.invalidateQueries({ queryKey: tagsQuery.queryKey })
    onMaking(false)
    onMade(answer.data.tag_id)
  }
  return (
    <form className={css.form} onSubmit={(event) => void make(event)}>
      <Field
        label="or make a new tag of the columns"
        name="name"
        placeholder="What one row is: Book, Invoice"
        hint={words.length ? `Its fields would be ${words.join(', ')}.` : undefined}
        required
        maxLength={200}
        autoComplete="off"
        fault={fault?.problems.map(({ message }) => message).join('; ') || fault?.message}
      />
      <Button type="submit" icon="plus" disabled={isMaking}>
        Make this tag
      </Button>
    </form>
  )
}
