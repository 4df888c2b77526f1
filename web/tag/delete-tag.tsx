import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '#web/api/call.ts'
import { deleteTag, previewTagUpdate } from '#web/api/operations.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Field } from '#web/parts/field.tsx'
import { toast } from '#web/parts/toast.tsx'

/** Says how much goes with the tag, and wants its name typed where something does. */
export function DeleteTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const loss = useQuery({
    queryKey: ['tag-loss', tag.tag_id],
    // As if all fields went: by field the values that are there.
    queryFn: async ({ signal }) => {
      const fields = { nothing: 'Boolean' }
      const { data } = await call(previewTagUpdate, { tag_id: tag.tag_id, fields }, { signal })
      const values = data.fields.reduce((sum, { with_value }) => sum + with_value, 0)
      return { items: data.affected_items, values }
    },
    gcTime: 0,
    staleTime: Infinity,
  })
  const { items = 0, values = 0 } = loss.data ?? {}
  const isReady = loss.isSuccess && (!items || typed.trim() === tag.name)
  const run = async () => {
    setBusy(true)
    try {
      const { change_id } = await call(deleteTag, { tag_id: tag.tag_id }, { isAtOnce: true })
      const words = `Deleted the tag ${tag.name}`
      keepChange(words, change_id, () => client.invalidateQueries())
      toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
      go('/tags')
      await client.invalidateQueries()
    } catch (error) {
      setFault((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={`Delete the tag ${tag.name}?`}
      firm={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button kind="danger" disabled={!isReady || isBusy} onClick={() => void run()}>
            Delete the tag
          </Button>
        </>
      }
    >
      {loss.isPending ? (
        <p>Counting…</p>
      ) : (
        <p>
          {items
            ? `${many(items, 'item')} ${items === 1 ? 'loses' : 'lose'} the tag with ${many(values, 'value')}. The items themselves stay. It can be undone, here or in the history.`
            : 'No item has it. It can be restored from the trash.'}
        </p>
      )}
      {loss.error && <FaultLine>{loss.error.message}</FaultLine>}
      {items > 0 && (
        <Field
          label={`Type ${tag.name} to go on`}
          autoComplete="off"
          value={typed}
          fault={fault}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {!items && fault && <FaultLine>{fault}</FaultLine>}
    </Dialog>
  )
}

const many = (count: number, word: string) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`
