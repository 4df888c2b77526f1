import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { restoreItem } from '#web/api/operations.ts'
import { itemQuery, lastOfItemQuery } from '#web/data/item-query.ts'
import { keepItemName } from '#web/data/item-names.ts'
import { useNameOfUser } from '#web/data/users-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { say } from '#web/parts/live-region.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { sayMoment } from '#web/rules/say-time.ts'

/** What is shown where an item was: when it was deleted, by whom, and the way back. */
export function DeletedItem({ item_id, mayWrite }: { item_id: string; mayWrite: boolean }) {
  const client = useQueryClient()
  const last = useQuery(lastOfItemQuery(item_id))
  const nameOfUser = useNameOfUser()
  const [fault, setFault] = useState<string>()
  const [isBusy, alone] = useBusy()
  if (last.isPending) return null
  const event = last.data
  if (!event)
    return (
      <EmptyState whole icon="search" title="There is no such item">
        <p>{last.error?.message ?? 'Its address may be mistyped.'}</p>
        <Link href="/items">All items</Link>
      </EmptyState>
    )
  const { name } = event.details as { name: string }
  const words = `on ${sayMoment(event.created_at)} by ${nameOfUser(event.user_id)}`
  if (event.event_type === 'item_purged')
    return (
      <EmptyState whole icon="trash" title={name}>
        <p>Removed for good {words}.</p>
      </EmptyState>
    )
  const restore = async () => {
    try {
      const { data, change_id } = await call(restoreItem, { item_id })
      keepItemName(item_id, name)
      keepChange(`Restored ${name}`, change_id, () => client.invalidateQueries())
      client.setQueryData(itemQuery(item_id).queryKey, data)
      say(`Restored ${name}`)
    } catch (error) {
      setFault((error as Error).message)
    }
  }
  return (
    <EmptyState whole icon="trash" title={name}>
      <p>Deleted {words}.</p>
      {mayWrite && (
        <Button kind="primary" icon="undo" disabled={isBusy} onClick={() => void alone(restore)}>
          Restore
        </Button>
      )}
      {fault && <FaultLine>{fault}</FaultLine>}
    </EmptyState>
  )
}
