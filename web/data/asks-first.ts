import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { getPreferences, putPreferences } from '#web/api/operations.ts'
import { toast } from '#web/parts/toast.tsx'

const read = async (signal?: AbortSignal): Promise<Record<string, unknown>> => ({
  ...(await call(getPreferences, {}, signal && { signal })).data,
})

const asksFirstQuery = queryOptions({
  queryKey: ['asks-first'],
  queryFn: async ({ signal }) => (await read(signal))['assistant'] === 'propose',
})

/** Whether the assistant proposes what it would change. It is the account's, wherever the assistant is asked. */
export function useAsksFirst(): [asks: boolean, choose: (asks: boolean) => Promise<void>] {
  const client = useQueryClient()
  const asks = useQuery(asksFirstQuery).data ?? false
  const choose = async (next: boolean) => {
    client.setQueryData(asksFirstQuery.queryKey, next)
    try {
      const { assistant: _, ...others } = await read()
      await call(putPreferences, { ...others, ...(next && { assistant: 'propose' }) })
    } catch (error) {
      client.setQueryData(asksFirstQuery.queryKey, !next)
      toast({ text: toFault(error).message, kind: 'danger' })
    }
  }
  return [asks, choose]
}
