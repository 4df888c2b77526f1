import { type FormEvent, useState } from 'react'
import { useSearch } from 'wouter'
import { call } from '#web/api/call.ts'
import { createItem } from '#web/api/operations.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { useTags } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { CleanText } from '#web/item/clean-text.tsx'
import { Button } from '#web/parts/button.tsx'
import { Field, FieldAround } from '#web/parts/field.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { Note } from '#web/parts/note.tsx'
import { say } from '#web/parts/live-region.tsx'
import { Page } from '#web/parts/page.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { useGoOn, useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { describeShared, nameOfShared, readShared } from '#web/rules/shared-text.ts'
import css from '#web/pages/new-page.module.css'

const TAG = 'new-tag'
/** Listboxes have texts for values. */
const NO_TAG = ''
/** The tag that was chosen last, in this browser. */
const LAST = 'facet.new_tag'

/** An item from wherever one is: shared by another application, `/new?title=&text=&url=`, or begun by a shortcut. */
export function NewPage() {
  const tags = useTags()
  const mayWrite = useMayWrite()
  if (!tags) return null
  if (!mayWrite)
    return (
      <Page title="New item" narrow>
        <Note>You may read this base, not change it.</Note>
      </Page>
    )
  return (
    <Page title="New item" narrow>
      <NewItem tags={tags} />
    </Page>
  )
}

const signOf = (tag_id: string) => tag_id !== NO_TAG && <TagSign tag={tag_id} />

const faultOf = ({ name }: { name: string }) =>
  `The tag ${name} has been deleted: choose another one, or None`

function NewItem({ tags }: { tags: readonly { tag_id: string; name: string }[] }) {
  const [shared] = useState(readShared(useSearch()))
  const [name, setName] = useState(() => nameOfShared(shared))
  const [chosen, setChosen] = useState(() => localStorage.getItem(LAST) ?? NO_TAG)
  const [fault, setFault] = useState<string>()
  const [isBusy, alone] = useBusy()
  const description = describeShared(shared)
  useLeaveGuard(name.trim() !== '' || description !== undefined)
  const goOn = useGoOn()
  const tag = tags.find(({ tag_id }) => tag_id === chosen)
  const [last, setLast] = useState(tag)
  if (tag && tag !== last) setLast(tag)
  // Deleted since it stood here: without it the item would not be what was asked for.
  const gone = !tag && last?.tag_id === chosen ? last : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim()
    if (!given) return setFault('An item needs a name')
    if (gone) return say(faultOf(gone))
    void alone(async () => {
      try {
        const { data, change_id } = await call(createItem, {
          name: given,
          ...(description && { description }),
          tags: tag ? [{ tag_ref: { Existing: tag.tag_id } }] : [],
        })
        localStorage.setItem(LAST, tag?.tag_id ?? NO_TAG)
        keepChange(`Made ${given}`, change_id)
        goOn(`/items/${data.item_id}`, { replace: true })
      } catch (error) {
        setFault((error as Error).message)
      }
    })
  }
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <Field
        label="Name"
        autoFocus
        value={name}
        readOnly={isBusy}
        fault={fault}
        onChange={(event) => {
          setName(event.target.value)
          setFault(undefined)
        }}
      />
      <FieldAround id={TAG} label="Tag" fault={gone && faultOf(gone)}>
        <Listbox
          id={TAG}
          value={tag?.tag_id ?? gone?.tag_id ?? NO_TAG}
          options={[
            [NO_TAG, 'None'],
            ...[...tags, ...(gone ? [gone] : [])].map((each) => [each.tag_id, each.name] as const),
          ]}
          disabled={isBusy}
          signOf={signOf}
          onValue={setChosen}
        />
      </FieldAround>
      {description && (
        <section className={css.shared} aria-label="Description">
          <CleanText html={description} />
        </section>
      )}
      <div>
        <Button kind="primary" type="submit" disabled={isBusy}>
          Make the item
        </Button>
      </div>
    </form>
  )
}
