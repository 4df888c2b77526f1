import { useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { acceptProposal, refuseProposal, withdrawProposal } from '#web/api/operations.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import type { Proposal, ProposedChange } from '#web/data/proposals-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'

export const idOfChange = ({ item_id, tag_id }: Pick<ProposedChange, 'item_id' | 'tag_id'>): string =>
  (item_id ?? tag_id)!

/** Decides about a proposal, one decision at a time; what went wrong is said, and all is read again. True: it is decided. */
export function useDecide({ proposal_id, summary, change_ids, conflicts }: Proposal) {
  const client = useQueryClient()
  const [isBusy, alone] = useBusy()
  const renew = () => client.invalidateQueries()
  const decide = async (work: (proposal_id: string) => Promise<string>): Promise<boolean> => {
    let isDone = false
    await alone(async () => {
      try {
        toast({ text: await work(proposal_id!) })
        isDone = true
      } catch (error) {
        toast({ text: toFault(error).message, kind: 'danger' })
      }
      await renew()
    })
    return isDone
  }
  /** Only these of its changes, or all of it; what is known to conflict stays open. */
  const accept = (only: readonly ProposedChange[], shown: readonly ProposedChange[]) =>
    decide(async (proposal_id) => {
      const { data } = await call(acceptProposal, {
        proposal_id,
        on_conflict: conflicts.length ? 'skip' : 'refuse',
        ...(only.length && { item_ids: only.map(idOfChange) }),
      })
      const words = `Accepted: ${summary}`
      const change_id = data.change_ids.find((id) => !change_ids.includes(id))
      if (change_id === undefined) return 'Nothing was changed by it'
      keepChange(words, change_id, renew)
      const ids = shown.flatMap(({ item_id }) => (item_id ? [data.made[item_id] ?? item_id] : []))
      itemsChanged(ids, { came: ids })
      return words
    })
  const refuse = (reason: string) =>
    decide(async (proposal_id) => {
      await call(refuseProposal, { proposal_id, ...(reason && { reason }) }, { isAtOnce: true })
      return `Refused: ${summary}`
    })
  const withdraw = () =>
    decide(async (proposal_id) => {
      await call(withdrawProposal, { proposal_id })
      return `Withdrawn: ${summary}`
    })
  return { isBusy, accept, refuse, withdraw }
}
