import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault, toFault } from '#web/api/fault.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'
import { Note } from '#web/parts/note.tsx'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import {
  type BulkAnswer,
  byNamesNow,
  sendBulkEdit,
  type BulkEdit,
  lastChangeOf,
  renamedBetween,
  seenNow,
  takesAsOf,
} from '#web/bulk/bulk-edit.ts'
import type { BulkBarProps, BulkKind } from '#web/bulk/bulk-props.ts'
import { BulkPreview } from '#web/bulk/bulk-preview.tsx'
import { ChangeForm } from '#web/bulk/change-form.tsx'
import css from '#web/bulk/bulk.module.css'

/** More than these are deleted only when their number is typed. */
const MANY = 100

interface BulkDialogProps extends BulkBarProps {
  kind: BulkKind
  onClose: () => void
}

const TITLES: Readonly<Record<BulkKind, string>> = {
  set: 'Set a field',
  add: 'Add a tag',
  remove: 'Remove a tag',
  delete: 'Delete',
}

/** One change of many: what it would do, before it is done. */
export function BulkDialog(props: BulkDialogProps) {
  const { kind, filter, seen, count, all, source, onClose, onDone } = props
  // What others rename while it is open is said; what one has chosen goes on being called as one saw it.
  const [{ tags, first }] = useState(props)
  const [change, setChange] = useState<BulkEdit | null>(kind === 'delete' ? { kind } : null)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [isOvertaken, setOvertaken] = useState(false)
  const preview = useQuery({
    queryKey: ['bulk', change, filter],
    queryFn: async () => {
      const last = await lastChangeOf(filter)
      const named = await byNamesNow(change!)
      return { last, named, answer: await sendBulkEdit(named, filter, { dry_run: true }) }
    },
    enabled: change !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  })
  const { data: since, refetch: lookAgain } = useQuery({
    queryKey: ['bulk-since', [...seen.keys()]],
    queryFn: () => seenNow(seen),
    gcTime: 0,
    staleTime: Infinity,
  })
  // Those that are selected by hand are all loaded; of all that match, only some.
  const as_of = change && takesAsOf(change) && !all && seen.size === count ? since?.now : undefined
  const shown = change && !preview.isPlaceholderData ? preview.data : undefined
  const number = shown ? changedBy(kind, shown.answer) : 0
  const needsNumber = kind === 'delete' && (all || number > MANY)
  const isReady = number > 0 && (!needsNumber || typed.trim() === String(number))
  const overtaken = async () => {
    setOvertaken(true)
    say('Nothing was written')
    await Promise.all([preview.refetch(), lookAgain()])
    setBusy(false)
  }
  const apply = async () => {
    setFault(null)
    setBusy(true)
    const bound = as_of ? filter : unchangedSince(filter, shown!.last)
    const named = await byNamesNow(change!)
    const done = await sendBulkEdit(named, bound, { dry_run: false, as_of }).catch(toFault)
    if (done instanceof Fault) {
      if (done.status === 412) return overtaken()
      setFault(done)
      return setBusy(false)
    }
    if (!done.affected_count) return overtaken()
    const words = wordsOf(named, props.tags, changedBy(kind, done))
    keepChange(words, done.change_id)
    const ids = new Set(done.affected_ids)
    if (kind === 'delete') source.remove(ids)
    itemsChanged(ids)
    const left = shown!.answer.affected_count - done.affected_count
    toast({
      text: left > 0 ? `${words}. ${left} were changed by others meanwhile, and stay as they are` : words,
      action: { label: 'Undo', run: () => void undoLast() },
    })
    onClose()
    onDone()
  }
  const faults = fault ?? (preview.error instanceof Fault ? preview.error : null)
  return (
    <Dialog
      title={kind === 'delete' ? `Delete ${items(count)}` : `${TITLES[kind]} of ${items(count)}`}
      width="wide"
      isChanged={kind !== 'delete' && change !== null}
      firm={busy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            kind={kind === 'delete' ? 'danger' : 'primary'}
            disabled={!isReady || busy}
            onClick={() => void apply()}
          >
            {kind === 'delete' ? 'Delete' : 'Change'} {shown && items(number)}
          </Button>
        </>
      }
    >
      {kind !== 'delete' && (
        <fieldset className={css.held} disabled={busy}>
          <ChangeForm
            {...props}
            tags={tags}
            first={first}
            kind={kind}
            onChange={(next) => {
              // What was refused was another change.
              setFault(null)
              setOvertaken(false)
              setChange(next)
            }}
          />
        </fieldset>
      )}
      {faults ? (
        <div role="alert">
          <p>{faults.message}</p>
          {faults.suggestion && <p>{faults.suggestion}</p>}
        </div>
      ) : (
        shown && (
          <BulkPreview
            kind={kind}
            change={shown.named}
            answer={shown.answer}
            changedSince={since?.changed ?? 0}
          />
        )
      )}
      {shown && change && <Renamed chosen={change} named={shown.named} />}
      {isOvertaken && (
        <Note kind="warn">
          Somebody has changed one of them while you looked. Nothing was written; this is how it is now.
        </Note>
      )}
      {change && !shown && !faults && <p>Counting…</p>}
      {needsNumber && number > 0 && (
        <Field
          label={`Type ${number} to go on`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </Dialog>
  )
}

/** What one has chosen is called otherwise by now: the preview speaks of it by its new name. */
function Renamed({ chosen, named }: { chosen: BulkEdit; named: BulkEdit }) {
  const pairs = renamedBetween(chosen, named)
  if (!pairs.length) return null
  return (
    <Note kind="warn">
      Names have been changed since you opened this:{' '}
      {pairs.map(([then, now]) => `“${then}” is called “${now}” now`).join(', ')}. What you chose is what gets
      written.
    </Note>
  )
}

const items = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`

const changedBy = (kind: BulkKind, { affected_count, changed_count }: BulkAnswer) =>
  kind === 'set' ? changed_count : affected_count

/** Anyone who changes one of them after it was looked at keeps their change. */
const unchangedSince = (filter: BulkDialogProps['filter'], last: string | undefined) =>
  last === undefined ? filter : { and: [filter, { updated_at: { lte: last } }] }

function wordsOf(change: BulkEdit, tags: BulkDialogProps['tags'], count: number): string {
  const name = 'tag_id' in change ? tags.find(({ tag_id }) => tag_id === change.tag_id)?.name : ''
  if (change.kind === 'set') return `Set ${name}.${change.field} of ${items(count)}`
  if (change.kind === 'add') return `Added ${name} to ${items(count)}`
  return change.kind === 'remove' ? `Removed ${name} from ${items(count)}` : `Deleted ${items(count)}`
}
