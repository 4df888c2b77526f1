import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Fault } from '#web/api/fault.ts'
import { type Tag, tagsQuery } from '#web/data/tags-query.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { Field, TextField } from '#web/parts/field.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { Note } from '#web/parts/note.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import {
  changeField,
  changeOf,
  draftOf,
  faultsOf,
  placeOf,
  renameField,
  type TagChange,
  type TagDraft,
} from '#web/rules/tag-draft.ts'
import { derivedHues } from '#web/rules/tag-face.ts'
import { withExtending } from '#web/rules/tag-tree.ts'
import type { DraftEdit } from '#web/tag/draft-edit.ts'
import { FieldList } from '#web/tag/field-list.tsx'
import { LookPicker } from '#web/tag/look-picker.tsx'
import { saveTag } from '#web/tag/save-tag.ts'
import { TagChips } from '#web/tag/tag-chips.tsx'
import css from '#web/tag/tag-editor.module.css'

const PreviewDialog = loadedDialog(() =>
  import('#web/tag/preview-dialog.tsx').then(({ PreviewDialog }) => PreviewDialog),
)

interface TagEditorProps {
  /** Null: a new one. */
  tag: Tag | null
  initial: TagDraft
  tags: readonly Tag[]
  mayWrite: boolean
  onSaved: (tag: Tag) => void
  /** Under the fields: values of older versions, deleting. */
  children?: ReactNode
}

const NOTHING_WRONG: ReadonlyMap<string, string> = new Map()

/** A tag's name, what it extends, and its fields; nothing is written before it has been looked at. */
export function TagEditor({ tag: present, initial, tags, mayWrite, onSaved, children }: TagEditorProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(initial)
  // As it was when the draft was begun.
  const [tag, setTag] = useState(present)
  const [faults, setFaults] = useState(NOTHING_WRONG)
  const [fault, setFault] = useState<string>()
  const [refusals, setRefusals] = useState(0)
  const [previewed, setPreviewed] = useState<TagChange>()
  const [isBusy, setBusy] = useState(false)
  const put = (changes: Partial<TagDraft>) => {
    setDraft({ ...draft, ...changes })
    setFaults(NOTHING_WRONG)
    setFault(undefined)
    setRefusals(0)
  }
  const change = tag ? changeOf(tag, draft) : undefined
  // A template is to be saved as it is.
  const isDirty = tag ? change !== null : draft !== initial || draft.fields.length > 0
  useLeaveGuard(isDirty && mayWrite && !isBusy)
  // Deleted and restored it is as it was.
  const isLater = !!tag && !!present && present.updated_at > tag.updated_at
  const isOvertaken = isLater && changeOf(tag, draftOf(present)) !== null
  if (isLater && !isOvertaken) setTag(present)
  const why = useShown(refusals, isOvertaken || fault !== undefined)
  const beginAgain = () => {
    setTag(present)
    put(draftOf(present!))
  }
  // Undone, or changed by others: begun from what it is now, unless something is typed already.
  if (isOvertaken && !isDirty && !isBusy) beginAgain()

  const edit: DraftEdit = {
    faults,
    tags,
    List: FieldList,
    change: (key, next) => put({ fields: changeField(draft.fields, key, next) }),
    rename: (key, name) => put({ fields: renameField(draft.fields, key, name) }),
  }
  const refuse = (error: Fault) => {
    const known = new Map<string, string>()
    const rest: string[] = []
    for (const { path, message } of error.problems) {
      const key = path === 'name' ? path : placeOf(path, draft.fields)
      if (key) known.set(key, message)
      else rest.push(`${path}: ${message}`)
    }
    setFaults(known)
    if (!known.size) setRefusals((count) => count + 1)
    // Said under the fields as soon as its present state is known.
    if (error.code === 'PreconditionFailed') void client.invalidateQueries({ queryKey: tagsQuery.queryKey })
    else
      setFault(
        [...(error.problems.length ? rest : [error.message]), error.suggestion].filter(Boolean).join(' '),
      )
  }
  const write = async (changes: TagChange) => {
    setBusy(true)
    const saved = await saveTag(client, { tag, draft, change: changes })
    setBusy(false)
    setPreviewed(undefined)
    if (saved instanceof Fault) return refuse(saved)
    setDraft(draftOf(saved.tag))
    if (tag) setTag(saved.tag)
    onSaved(saved.tag)
    await saved.renew()
  }
  const save = () => {
    if (isBusy) return undefined
    if (isOvertaken) return setRefusals(refusals + 1)
    const found = faultsOf(draft)
    setFaults(found)
    if (found.size) return setFault(found.get('fields') ?? 'Not yet: see what is marked.')
    if (!tag) return void write({})
    if (!change) return undefined
    if (change.fields ?? change.rename_fields) setPreviewed(change)
    else void write(change)
  }
  useActions(
    mayWrite && isDirty
      ? [{ id: 'tag.save', title: 'Save this tag', keys: 'mod+s', group: 'Tag', run: save }]
      : [],
  )
  // A new one comes after all others; one that is there counts once, or its own colour would be taken.
  const own_id = tag?.tag_id ?? 'new'
  const derivedHue = derivedHues([...new Set([...tags.map(({ tag_id }) => tag_id), own_id])]).get(own_id)!
  const ownTree = tag ? withExtending(tags, tag.tag_id) : new Set<string>()
  return (
    <>
      <fieldset className={css.editor} disabled={!mayWrite || isBusy}>
        <legend className={css.legend}>{tag ? `Fields of ${tag.name}` : 'A new tag'}</legend>
        <div className={css.head}>
          <div className={css.named}>
            <LookPicker
              name={draft.name.trim()}
              look={draft.look}
              derivedHue={derivedHue}
              onLook={(look) => put({ look })}
            />
            <Field
              label="Name"
              hint="As one of its things is called: Task, Person, Invoice."
              autoComplete="off"
              maxLength={200}
              autoFocus={!tag}
              value={draft.name}
              fault={faults.get('name')}
              onChange={(event) => put({ name: event.target.value })}
            />
          </div>
          <TextField
            label="What it is for"
            rows={2}
            value={draft.description}
            onChange={(event) => put({ description: event.target.value })}
          />
          {(tags.length > 0 || draft.extends.length > 0) && (
            <TagChips
              label="Is also a"
              hint="Its items are found under these tags too."
              chosen={draft.extends}
              options={tags.filter(({ tag_id }) => !ownTree.has(tag_id))}
              onChange={(next) => put({ extends: next })}
            />
          )}
        </div>
        <h2>Fields</h2>
        <FieldList
          of={draft.name.trim() || 'the new tag'}
          fields={draft.fields}
          edit={edit}
          onFields={(fields) => put({ fields })}
        />
        <div ref={why} aria-live="polite">
          {fault && <Note kind="danger">{fault}</Note>}
          {isOvertaken && (
            <Note kind="warn">
              <p>
                Somebody has changed this tag meanwhile. What you have typed is still here, and cannot be
                saved over it.
              </p>
              <Button onClick={beginAgain}>Begin again from how it is now</Button>
            </Note>
          )}
        </div>
        {mayWrite && (
          <div className={`${css.bar} ${isDirty ? css.dirty : ''}`}>
            <span className={css.state}>{isDirty ? 'Not saved yet' : tag ? 'Saved' : ''}</span>
            {isDirty && tag && (
              <Button kind="quiet" onClick={() => put(draftOf(tag))}>
                Discard
              </Button>
            )}
            <Button kind="primary" disabled={!isDirty || isBusy} onClick={save}>
              {tag ? 'Save…' : 'Make this tag'}
            </Button>
          </div>
        )}
      </fieldset>
      {children}
      {tag && previewed && (
        <PreviewDialog
          tag={tag}
          change={previewed}
          isBusy={isBusy}
          onSave={() => void write(previewed)}
          onFault={(error) => {
            setPreviewed(undefined)
            refuse(error)
          }}
          onClose={() => setPreviewed(undefined)}
        />
      )}
    </>
  )
}

/** Why it is refused is seen at each try, also where the button is in sight and the end of the page is not. */
function useShown(refusals: number, isThere: boolean) {
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusals && isThere) shown.current?.scrollIntoView({ block: 'center' })
  }, [refusals, isThere])
  return shown
}
