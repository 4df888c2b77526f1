import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { purgeDeleted } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { allDeletedItems, countWords, type Deleted, stillDeleted, TRASH } from '#web/data/trash-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Field } from '#web/parts/field.tsx'
import { Note } from '#web/parts/note.tsx'
import { toast } from '#web/parts/toast.tsx'

/** Ids in one request. */
const AT_ONCE = 1000

/** What is to go: these, all items in which a text is found and these tags, or all that was deleted up to a time. */
export type Purged =
  | { chosen: readonly Deleted[] }
  | { search: string; tags: readonly Deleted[] }
  | { until: string }

interface PurgeDialogProps {
  purged: Purged
  onClose: () => void
}

/** Says first what would go, and wants its number typed: there is no way back. */
export function PurgeDialog({ purged, onClose }: PurgeDialogProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isOvertaken, setOvertaken] = useState(false)
  const dryRun = useQuery({
    queryKey: ['purge', purged],
    queryFn: async () => {
      const inputs = await inputsOf(purged)
      return { inputs, ...(await purge(inputs, true)) }
    },
    gcTime: 0,
    staleTime: Infinity,
  })
  const { items = 0, tags = 0 } = dryRun.data ?? {}
  const count = items + tags
  const isReady = count > 0 && typed.trim() === String(count)
  const run = async () => {
    setBusy(true)
    try {
      await purge(dryRun.data?.inputs ?? [], false)
      toast({ text: `Removed ${countWords({ items, tags })} for good` })
      onClose()
    } catch (error) {
      if (error instanceof Fault && error.status === 404) {
        setOvertaken(true)
        setTyped('')
        await dryRun.refetch()
      } else setFault((error as Error).message)
      setBusy(false)
    } finally {
      await client.invalidateQueries({ queryKey: TRASH })
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
        <FaultLine>{dryRun.error.message}</FaultLine>
      ) : (
        <>
          {isOvertaken && (
            <Note kind="warn">
              Somebody has restored or removed some of these meanwhile: this is what is left of them.
            </Note>
          )}
          <p>{dryRun.data ? whatGoes(dryRun.data) : 'Counting…'}</p>
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

const whatGoes = (counts: Counts): string =>
  counts.items + counts.tags
    ? `This removes ${countWords(counts)} for good. There is no way back; what refers to them refers to nothing then.`
    : 'None of these is in the trash any more.'

interface Counts {
  items: number
  tags: number
}

type PurgeInput = Pick<InputOf<typeof purgeDeleted>, 'item_ids' | 'tag_ids' | 'older_than'>

/** Exactly what is shown, not what is deleted meanwhile. */
async function inputsOf(purged: Purged): Promise<PurgeInput[]> {
  // A moment later than the newest of them, by the clock of the service.
  if ('until' in purged) return [{ older_than: new Date(Date.parse(purged.until) + 1).toISOString() }]
  const chosen =
    'chosen' in purged
      ? await stillDeleted(purged.chosen)
      : [...(await allDeletedItems(purged.search)), ...purged.tags]
  return (['item', 'tag'] as const).flatMap((kind) => {
    const ids = chosen.filter((each) => each.kind === kind).map(({ id }) => id)
    return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, i) => {
      const some = ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE)
      return kind === 'item' ? { item_ids: some } : { tag_ids: some }
    })
  })
}

async function purge(inputs: readonly PurgeInput[], dry_run: boolean): Promise<Counts> {
  const counts = { items: 0, tags: 0 }
  for (const input of inputs) {
    const { data } = await call(purgeDeleted, { ...input, dry_run }, { isAtOnce: true })
    counts.items += data.purged_item_ids.length
    counts.tags += data.purged_tag_ids.length
  }
  return counts
}
