import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { getPreferences, putPreferences } from '#web/api/operations.ts'
import { toast } from '#web/parts/toast.tsx'
import { Slot } from '#web/store.ts'

const read = async (signal?: AbortSignal): Promise<Record<string, unknown>> => ({
  ...(await call(getPreferences, {}, signal && { signal })).data,
})

const asksFirstQuery = queryOptions({
  queryKey: ['asks-first'],
  queryFn: async ({ signal }) => (await read(signal))['assistant'] === 'propose',
})

const choosing = new Slot<Promise<void>>('asks_first', 'account', () => Promise.resolve())

/** Resolves when what was chosen last is stored: what is said to the assistant goes by it. */
export const asksFirstKept = (): Promise<void> => choosing.get()

/** Whether the assistant proposes what it would change. It is the account's, wherever the assistant is asked. */
export function useAsksFirst(): [asks: boolean, choose: (asks: boolean) => Promise<void>] {
  const client = useQueryClient()
  const known = useQuery(asksFirstQuery).data ?? false
  const [chosen, setChosen] = useState<boolean>()
  const choose = async (next: boolean) => {
    setChosen(next)
    const kept = choosing.get().then(() => keep(next))
    choosing.set(kept)
    await kept
    if (choosing.get() === kept) setChosen(undefined)
  }
  const keep = async (next: boolean) => {
    // An answer that is under way says what was before.
    await client.cancelQueries(asksFirstQuery)
    try {
      const { assistant: _, ...others } = await read()
      await call(putPreferences, { ...others, ...(next && { assistant: 'propose' }) })
      client.setQueryData(asksFirstQuery.queryKey, next)
    } catch (error) {
      toast({ text: toFault(error).message, kind: 'danger' })
      await client.invalidateQueries(asksFirstQuery)
    }
  }
  return [chosen ?? known, choose]
}
