import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { searchAuditLog } from '#web/api/operations.ts'
import type { Renamed } from '#web/rules/renamed.ts'

interface Details {
  renamed_fields?: Renamed['fields']
  renamed_variants?: Renamed['variants']
}

interface Which {
  /** Only what came later than this. */
  after?: string
  signal?: AbortSignal
}

/** What the last changes of a tag renamed, oldest first. */
export async function tagRenames(tag_id: string, { after, signal }: Which = {}): Promise<readonly Renamed[]> {
  const { data } = await call(
    searchAuditLog,
    { tag_ids: [tag_id], event_types: ['tag_updated'], ...(after !== undefined && { after }) },
    signal && { signal },
  )
  return data
    .map(({ details }) => details as Details)
    .map(({ renamed_fields: fields = {}, renamed_variants: variants = {} }) => ({ fields, variants }))
    .toReversed()
}

export const tagRenamesQuery = (tag_id: string) =>
  queryOptions({
    queryKey: ['tag-renames', tag_id],
    queryFn: ({ signal }) => tagRenames(tag_id, { signal }),
    staleTime: 0,
  })
