import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { Fault } from '#web/api/fault.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field, FieldAround, TextField } from '#web/parts/field.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { Note } from '#web/parts/note.tsx'
import {
  allFields,
  changeField,
  changeOf,
  draftOf,
  faultsOf,
  FIELD_TYPES,
  type FieldDraft,
  hasVariants,
  isReferring,
  newField,
  newVariant,
  renameField,
  type TagChange,
  type TagDraft,
} from '#web/rules/tag-draft.ts'
import { TYPE_WORDS } from '#web/rules/type-words.ts'
import { PreviewDialog } from '#web/tag/preview-dialog.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { saveTag } from '#web/tag/save-tag.ts'
import { TagChips } from '#web/tag/tag-chips.tsx'
import css from '#web/tag/field-dialog.module.css'

interface FieldDialogProps {
  tag: Tag
  tags: readonly Tag[]
  /** Its name; null: a new one. */
  field: string | null
  onClose: () => void
}

/** One field of a tag: made, renamed or given another type where its values are seen. */
export function FieldDialog({ tag, tags, field: name, onClose }: FieldDialogProps) {
  const client = useQueryClient()
  const form = useId()
  const [first] = useState(() => begun(tag, name))
  const [{ draft, key }, setDraft] = useState(first)
  const [fault, setFault] = useState<string>()
  const [previewed, setPreviewed] = useState<TagChange>()
  const [isBusy, setBusy] = useState(false)
  useLeaveGuard(!isBusy && changeOf(tag, draft) !== null)
  const field = allFields(draft.fields).find((each) => each.key === key)!
  const put = (fields: readonly FieldDraft[]) => {
    setDraft({ draft: { ...draft, fields }, key })
    setFault(undefined)
  }
  const change = (changes: Partial<FieldDraft>) =>
    put(changeField(draft.fields, key, (now) => ({ ...now, ...changes })))
  const write = async (changes: TagChange) => {
    setBusy(true)
    const saved = await saveTag(client, { tag, draft, change: changes })
    setBusy(false)
    setPreviewed(undefined)
    if (saved instanceof Fault) return setFault([saved.message, saved.suggestion].filter(Boolean).join('. '))
    onClose()
    await saved.renew()
  }
  const save = () => {
    const wrong = faultsOf(draft)
    if (wrong.size) return setFault(wrong.get(key) ?? [...wrong.values()][0])
    const changes = changeOf(tag, draft)
    if (!changes) return onClose()
    // Of another type some values may not fit: that is looked at first.
    if (typeOf(tag, name) !== undefined && typeOf(tag, name) !== field.type) setPreviewed(changes)
    else void write(changes)
  }
  if (previewed)
    return (
      <PreviewDialog
        tag={tag}
        change={previewed}
        isBusy={isBusy}
        onSave={() => void write(previewed)}
        onFault={({ message }) => {
          setPreviewed(undefined)
          setFault(message)
        }}
        onClose={() => setPreviewed(undefined)}
      />
    )
  return (
    <Dialog
      title={name === null ? `New field of ${tag.name}` : `The field ${name} of ${tag.name}`}
      isChanged={draft !== first.draft && !isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} disabled={isBusy}>
            {name === null ? 'Add the field' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          save()
        }}
      >
        <Field
          label="Name"
          autoFocus
          autoComplete="off"
          maxLength={200}
          value={field.name}
          fault={fault}
          onChange={(event) => put(renameField(draft.fields, key, event.target.value))}
        />
        <Type field={field} tags={tags} onChange={change} />
        {name !== null && (
          <Note>
            What it means, variants and how it looks are in{' '}
            <Link href={`/tags/${tag.tag_id}/schema`}>all fields of {tag.name}</Link>.
          </Note>
        )}
      </form>
    </Dialog>
  )
}

interface TypeProps {
  field: FieldDraft
  tags: readonly Tag[]
  onChange: (changes: Partial<FieldDraft>) => void
}

/** Its type, and what that needs. */
function Type({ field, tags, onChange }: TypeProps) {
  const { type, of, variants } = field
  const id = useId()
  // It is drawn anew after a preview.
  const [text, setText] = useState(() => variants.map(({ name }) => name).join('\n'))
  const isListed = variants.some(({ was }) => was !== null)
  return (
    <>
      <FieldAround id={id} label="Type">
        <Listbox
          id={id}
          value={type}
          options={FIELD_TYPES.map((each) => [each, TYPE_WORDS[each]] as const)}
          onValue={(next) => onChange({ type: next })}
        />
      </FieldAround>
      {hasVariants(type) && !isListed && (
        <TextField
          label="What it can be, one a line"
          rows={4}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            const names = target.value.split('\n').map((line) => line.trim())
            onChange({ variants: [...new Set(names)].filter(Boolean).map((each) => newVariant(each)) })
          }}
        />
      )}
      {isReferring(type) && (
        <TagChips label="Items of" chosen={of} options={tags} onChange={(next) => onChange({ of: next })} />
      )}
    </>
  )
}

function begun(tag: Tag, name: string | null): { draft: TagDraft; key: string } {
  const draft = draftOf(tag)
  const known = allFields(draft.fields).find(({ was }) => was === name)
  if (name !== null && known) return { draft, key: known.key }
  const field = newField()
  return { draft: { ...draft, fields: [...draft.fields, field] }, key: field.key }
}

/** As the tag has it; undefined for a new one. */
const typeOf = (tag: Tag, name: string | null) =>
  name === null ? undefined : allFields(draftOf(tag).fields).find(({ was }) => was === name)?.type
