import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { purgeDeleted } from '#web/api/operations.ts'
import { countWords, type Deleted, trashQuery } from '#web/data/trash-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'
import { toast } from '#web/parts/toast.tsx'

/** Ids in one request. */
const AT_ONCE = 1000

interface PurgeDialogProps {
  chosen: readonly Deleted[]
  onClose: () => void
}

/** Says first what would go, and wants its number typed: there is no way back. */
export function PurgeDialog({ chosen, onClose }: PurgeDialogProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const ids = chosen.map(({ id }) => id)
  const dryRun = useQuery({
    queryKey: ['purge', ids],
    queryFn: () => purge(chosen, true),
    gcTime: 0,
    staleTime: Infinity,
  })
  const { items = 0, tags = 0 } = dryRun.data ?? {}
  const count = items + tags
  const isReady = dryRun.data !== undefined && typed.trim() === String(count)
  const run = async () => {
    setBusy(true)
    try {
      await purge(chosen, false)
      toast({ text: `Removed ${countWords({ items, tags })} for good` })
      onClose()
    } catch (error) {
      setFault((error as Error).message)
      setBusy(false)
    } finally {
      await client.invalidateQueries({ queryKey: trashQuery.queryKey })
    }
  }
  return (
    <Dialog
      title="Remove for good"
      firm={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button kind="danger" disabled={!isReady || isBusy} onClick={() => void run()}>
            Remove {count > 0 ? count : ''} for good
          </Button>
        </>
      }
    >
      {dryRun.error ? (
        <p role="alert">{dryRun.error.message}</p>
      ) : (
        <>
          <p>
            {dryRun.data ? `This removes ${countWords({ items, tags })} for good.` : 'Counting…'} There is no
            way back; what refers to them refers to nothing then.
          </p>
          <Field
            label={`Type ${dryRun.data ? count : 'the number'} to go on`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            fault={fault}
            onChange={(event) => setTyped(event.target.value)}
          />
        </>
      )}
    </Dialog>
  )
}

interface Counts {
  items: number
  tags: number
}

/** Exactly what was shown, not what has been deleted since. */
async function purge(chosen: readonly Deleted[], dry_run: boolean): Promise<Counts> {
  const counts = { items: 0, tags: 0 }
  for (const kind of ['item', 'tag'] as const) {
    const ids = chosen.filter((each) => each.kind === kind).map(({ id }) => id)
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const some = ids.slice(i, i + AT_ONCE)
      const { data } = await call(purgeDeleted, {
        ...(kind === 'item' ? { item_ids: some } : { tag_ids: some }),
        dry_run,
      })
      counts.items += data.purged_item_ids.length
      counts.tags += data.purged_tag_ids.length
    }
  }
  return counts
}
