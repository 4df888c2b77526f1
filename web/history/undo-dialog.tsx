import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { undoChanges } from '#web/api/operations.ts'
import type { InputOf, OutputOf } from '#web/api/route.ts'
import { useItemName } from '#web/data/item-names.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Note } from '#web/parts/note.tsx'
import { toast } from '#web/parts/toast.tsx'
import { Name } from '#web/parts/name.tsx'
import css from '#web/history/undo-dialog.module.css'

export type Undone = Pick<InputOf<typeof undoChanges>, 'change_ids' | 'filter'>

interface UndoDialogProps {
  what: Undone
  /** As a sentence: `Set Task.status of 37 items`. */
  words: string
  onClose: () => void
}

type Conflict = OutputOf<typeof undoChanges>['conflicts'][number]

const MOST = 50

/** Says first what taking back would touch, and what stands in its way. */
export function UndoDialog({ what, words, onClose }: UndoDialogProps) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const dryRun = useQuery({
    queryKey: ['undo', what],
    queryFn: async ({ signal }) =>
      (await call(undoChanges, { ...what, dry_run: true, on_conflict: 'skip' }, { signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  })
  const plan = dryRun.data
  const conflicts = plan?.conflicts ?? []
  const run = async () => {
    setBusy(true)
    try {
      const input = { ...what, on_conflict: conflicts.length ? ('skip' as const) : ('refuse' as const) }
      const { data } = await call(undoChanges, input, { isAtOnce: true })
      const renew = () => client.invalidateQueries()
      keepChange(`Undid: ${words}`, data.change_id ?? undefined, renew)
      toast({ text: `${data.change_id === null ? 'Nothing was left to be undone' : 'Undone'}: ${words}` })
      onClose()
      await renew()
    } catch (error) {
      setFault((error as Error).message)
      setBusy(false)
      if (error instanceof Fault && error.details['conflicts']) void dryRun.refetch()
    }
  }
  const isNothing = plan?.undone_events === 0
  return (
    <Dialog
      title="Undo this?"
      firm={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button
            kind="primary"
            icon="undo"
            disabled={!plan || isNothing || isBusy}
            onClick={() => void run()}
          >
            {isBusy ? 'Undoing…' : conflicts.length ? 'Undo the rest' : 'Undo'}
          </Button>
        </>
      }
    >
      <p>
        <strong>
          <Name of={words} />
        </strong>
      </p>
      {dryRun.isPending && <p>Looking at what would change…</p>}
      {dryRun.error && <Note kind="danger">{dryRun.error.message}</Note>}
      {plan && !isNothing && <p>{effectWords(plan)} The undo can itself be undone.</p>}
      {isNothing && <p>Nothing of it can be undone.</p>}
      {conflicts.length > 0 && (
        <Note kind="warn">
          <p>
            {conflicts.length === 1 ? 'One thing stays' : `${conflicts.length.toLocaleString()} things stay`}{' '}
            as {conflicts.length === 1 ? 'it is' : 'they are'}, because of what came after:
          </p>
          <ul className={css.list}>
            {conflicts.slice(0, MOST).map((conflict) => (
              <li key={`${conflict.event_id} ${conflict.path}`}>
                <ConflictWords conflict={conflict} />
              </li>
            ))}
          </ul>
          {conflicts.length > MOST && <p>and {(conflicts.length - MOST).toLocaleString()} more</p>}
        </Note>
      )}
      {fault && <Note kind="danger">{fault}</Note>}
    </Dialog>
  )
}

function effectWords({ affected_item_ids, affected_tag_ids }: OutputOf<typeof undoChanges>): string {
  const items = many(affected_item_ids.length, 'item')
  const tags = many(affected_tag_ids.length, 'tag')
  const both = [affected_item_ids.length && items, affected_tag_ids.length && tags].filter(Boolean)
  return `This sets back ${both.join(' and ') || 'nothing that is there still'}.`
}

const many = (count: number, word: string) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`

function ConflictWords({ conflict: { item_id, path, reason } }: { conflict: Conflict }) {
  return (
    <>
      {item_id && (
        <>
          <ItemName item_id={item_id} />
          {': '}
        </>
      )}
      {path && `${path}: `}
      {reason}
    </>
  )
}

function ItemName({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  return <a href={`/items/${item_id}`}>{name === null ? 'deleted item' : (name ?? '…')}</a>
}
