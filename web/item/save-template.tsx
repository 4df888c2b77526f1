import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Fault, toFault } from '#web/api/fault.ts'
import type { Item } from '#web/data/item-query.ts'
import { meQuery } from '#web/data/me-query.ts'
import { useViewWrites } from '#web/data/view-writes.ts'
import { useTags } from '#web/data/tags-query.ts'
import { viewsQuery } from '#web/data/views-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'
import { Note } from '#web/parts/note.tsx'
import { toast } from '#web/parts/toast.tsx'
import { daysBetween } from '#web/rules/calendar.ts'
import { type DayOf, isTemplate, templateFilter } from '#web/rules/item-template.ts'
import { today } from '#web/rules/say-time.ts'
import css from '#web/item/save-template.module.css'

/** How far from today the dates of fields are. */
function useDays(): DayOf {
  const tags = useTags()
  return (tag_id, field, value) => {
    const fields = tags?.find((tag) => tag.tag_id === tag_id)?.fields ?? {}
    const schema = Object.hasOwn(fields, field) ? fields[field] : undefined
    const type = typeof schema === 'string' ? schema : (schema as { type?: unknown } | undefined)?.type
    if (type !== 'Date') return undefined
    const days = daysBetween(today(), value)
    return Number.isFinite(days) ? days : undefined
  }
}

/** Keeps what an item says as what others begin with: its tags, values and description. */
export function SaveTemplate({ item, onClose }: { item: Item; onClose: () => void }) {
  const form = useId()
  const writes = useViewWrites()
  const views = useQuery(viewsQuery).data ?? []
  const me = useQuery(meQuery).data
  const [name, setName] = useState(item.name)
  const [shared, setShared] = useState(true)
  const [counts, setCounts] = useState(true)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const dayOf = useDays()
  const hasDates = Object.entries(item.data).some(([tag_id, { field_values }]) =>
    Object.entries(field_values).some(
      ([field, value]) => typeof value === 'string' && dayOf(tag_id, field, value) !== undefined,
    ),
  )
  const filter = templateFilter(item.data, counts ? dayOf : undefined)!
  const old = views.find(
    (view) => isTemplate(view) && view.user_id === me?.user_id && view.name === name.trim(),
  )
  const { description } = item
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const settings = { template: description ? { description } : {} }
    const contents = { filter, settings, shared }
    const done = await (old ? writes.update(old, contents) : writes.create(name.trim(), contents)).catch(
      toFault,
    )
    setBusy(false)
    if (done instanceof Fault) return setFault(done)
    toast({ text: `New offers ${done.name} from now on` })
    onClose()
  }
  return (
    <Dialog
      title="Save as a template"
      firm={busy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form={form} disabled={busy || !name.trim()}>
            {old ? 'Replace it' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={form} className={css.form} onSubmit={(event) => void save(event)}>
        <p>
          New items can begin with the tags, the values and the description of this one, but not its files.
        </p>
        <Field
          label="Name of the template"
          autoFocus
          maxLength={200}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setFault(undefined)
          }}
          fault={fault && (fault.problemOf('name') ?? fault.message)}
        />
        <label className={css.check}>
          <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />
          Everybody may use it
        </label>
        {hasDates && (
          <label className={css.check}>
            <input type="checkbox" checked={counts} onChange={(event) => setCounts(event.target.checked)} />
            Its dates count from the day it is used
          </label>
        )}
        {old && <Note>You have a template of this name: it is replaced.</Note>}
      </form>
    </Dialog>
  )
}
