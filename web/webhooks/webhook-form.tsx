import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Fault } from '#web/api/fault.ts'
import { useTags } from '#web/data/tags-query.ts'
import { lookedAtQuery } from '#web/data/views-query.ts'
import type { Webhook } from '#web/data/webhooks-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Field, FieldAround } from '#web/parts/field.tsx'
import { formText } from '#web/parts/form-text.ts'
import { Note } from '#web/parts/note.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { EVENT_TYPES, EVENT_WORDS, type EventType } from '#web/webhooks/event-words.ts'
import css from '#web/webhooks/webhooks.module.css'

/** What a webhook is made of. */
export interface WebhookInput {
  url: string
  description: string | null
  event_types: EventType[] | null
  tag_ids: string[] | null
  filter: Record<string, unknown> | null
}

interface WebhookFormProps {
  /** Undefined: a new one. */
  webhook?: Webhook | undefined
  fault: Fault | undefined
  /** It is being saved. */
  isBusy: boolean
  renderFilter: (filter: Record<string, unknown>) => ReactNode
  onSave: (input: WebhookInput) => void
  onClose: () => void
}

const EVERY = 'every'
const KEPT = 'kept'

/** Where events are sent, and which. */
export function WebhookForm({ webhook, fault, isBusy, renderFilter, onSave, onClose }: WebhookFormProps) {
  const form = useId()
  const [types, setTypes] = useState<readonly EventType[]>(webhook?.event_types ?? [])
  const [tags, setTags] = useState<readonly string[]>(webhook?.tag_ids ?? [])
  const [of, setOf] = useState(webhook?.filter ? KEPT : EVERY)
  const chosen = JSON.stringify([types, tags, of])
  const [begun] = useState(chosen)
  const views = useQuery(lookedAtQuery).data ?? []
  const view = views.find(({ view_id }) => view_id === of)
  const filter = of === KEPT ? webhook!.filter : (view?.filter ?? null)
  // Without its filter it would be told of everything.
  const isGone = of !== KEPT && of !== EVERY && !view
  const [isRefused, setRefused] = useState(false)
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isGone) return setRefused(true)
    onSave({
      url: formText(event.currentTarget, 'url').trim(),
      description: formText(event.currentTarget, 'description').trim() || null,
      event_types: types.length ? [...types] : null,
      tag_ids: tags.length ? [...tags] : null,
      filter,
    })
  }
  const toggle = (type: EventType) =>
    setTypes(types.includes(type) ? types.filter((each) => each !== type) : [...types, type])
  return (
    <Dialog
      title={webhook ? 'Change the webhook' : 'New webhook'}
      isChanged={chosen !== begun && !isBusy}
      onClose={onClose}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} disabled={isBusy}>
            {webhook ? 'Save' : 'Make it'}
          </Button>
        </>
      }
    >
      <form id={form} className={css.form} onSubmit={save}>
        {fault && !fault.problemOf('url') && <Note kind="danger">{fault.message}</Note>}
        <Field
          label="Address"
          name="url"
          type="url"
          required
          maxLength={2000}
          autoComplete="off"
          defaultValue={webhook?.url}
          placeholder="https://hooks.example.org/facet"
          fault={fault?.problemOf('url')}
          suggestion={fault?.problemOf('url') && fault.suggestion ? { text: fault.suggestion } : undefined}
        />
        <Field
          label="What it is for"
          name="description"
          maxLength={1000}
          autoComplete="off"
          defaultValue={webhook?.description ?? ''}
        />
        <fieldset className={css.types}>
          <legend>When (none: whatever happens)</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} className={css.type}>
              <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
              {EVENT_WORDS[type]}
            </label>
          ))}
        </fieldset>
        <Tags chosen={tags} onChoose={setTags} />
        <Items webhook={webhook} of={of} onChoose={setOf}>
          {filter && renderFilter(filter)}
        </Items>
        {isGone && isRefused && (
          <FaultLine>The view that was chosen is not there any more. Choose of which items anew.</FaultLine>
        )}
      </form>
    </Dialog>
  )
}

/** About which tags events are. */
function Tags({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (tag_ids: string[]) => void }) {
  const id = useId()
  const all = useTags() ?? []
  const nameOf = (tag_id: string) => all.find((tag) => tag.tag_id === tag_id)?.name ?? 'a deleted tag'
  return (
    <FieldAround id={id} label="Only about these tags (none: about anything)">
      <div className={css.tags}>
        {chosen.map((tag_id) => (
          <Button
            key={tag_id}
            icon="close"
            aria-label={`Not about ${nameOf(tag_id)}`}
            onClick={() => onChoose(chosen.filter((each) => each !== tag_id))}
          >
            {nameOf(tag_id)}
          </Button>
        ))}
        <Listbox
          id={id}
          value=""
          placeholder="Add a tag…"
          options={all
            .filter(({ tag_id }) => !chosen.includes(tag_id))
            .map(({ tag_id, name }) => [tag_id, name] as const)}
          onValue={(tag_id) => onChoose([...chosen, tag_id])}
        />
      </div>
    </FieldAround>
  )
}

interface ItemsProps {
  webhook: Webhook | undefined
  of: string
  onChoose: (of: string) => void
  /** The filter in words. */
  children: ReactNode
}

/** Of which items: a filter is taken from a view, as it is now. */
function Items({ webhook, of, onChoose, children }: ItemsProps) {
  const id = useId()
  const views = useQuery(lookedAtQuery).data ?? []
  return (
    <FieldAround
      id={id}
      label="Of which items"
      hint={children ? <>As they are after the change: {children}.</> : undefined}
    >
      <Listbox
        id={id}
        value={of}
        options={[
          [EVERY, 'all items, and what happens to tags'],
          ...(webhook?.filter ? [[KEPT, 'as now'] as const] : []),
          ...views.map(({ view_id, name }) => [view_id, `those of the view ${name}`] as const),
        ]}
        onValue={onChoose}
      />
    </FieldAround>
  )
}
