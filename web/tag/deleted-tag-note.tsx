import { useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { restoreTag } from '#web/api/operations.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'

/** That a tag was deleted while its fields were open, and the way back. */
export function DeletedTagNote({ tag: { tag_id, name }, mayWrite }: { tag: Tag; mayWrite: boolean }) {
  const client = useQueryClient()
  const [isBusy, alone] = useBusy()
  const restore = async () => {
    const answer = await call(restoreTag, { tag_id }).catch(toFault)
    if (answer instanceof Fault) return toast({ text: answer.message, kind: 'danger' })
    keepChange(`Restored the tag ${name}`, answer.change_id, () => client.invalidateQueries())
    await client.invalidateQueries()
  }
  return (
    <Note kind="warn">
      <p role="status">
        This tag was deleted. What you have typed here stays, and can be saved once the tag is restored.
      </p>
      {mayWrite && (
        <Button icon="undo" disabled={isBusy} onClick={() => void alone(restore)}>
          Restore the tag
        </Button>
      )}
    </Note>
  )
}
