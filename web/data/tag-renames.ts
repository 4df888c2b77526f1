import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { searchAuditLog } from '#web/api/operations.ts'
import { afterRenames, type Renamed } from '#web/rules/renamed.ts'

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

type Values = Readonly<Record<string, unknown>>

/** Values by the names that a tag had when they were chosen: by now a name may be another one's. */
export interface NamedValues {
  /** Null: values of the item itself, whose names stay. */
  tag_id: string | null
  values: Values
  /** When the tag was last changed before; without it they are by the names of now. */
  tag_updated_at?: string | undefined
}

/** What a tag renamed since. Where the log cannot be read nothing was renamed. */
export const renamesSince = async ({
  tag_id,
  tag_updated_at: after,
}: Omit<NamedValues, 'values'>): Promise<readonly Renamed[]> =>
  tag_id === null || after === undefined ? [] : tagRenames(tag_id, { after }).catch(() => [])

/** All of them by the names of now; a tag is looked up once. */
export async function allByNamesNow(all: readonly NamedValues[]): Promise<Values[]> {
  const asked = new Map<string, Promise<readonly Renamed[]>>()
  const renamesOf = (named: NamedValues) => {
    const key = `${named.tag_id} ${named.tag_updated_at}`
    const renames = asked.get(key) ?? renamesSince(named)
    asked.set(key, renames)
    return renames
  }
  return Promise.all(all.map(async (each) => afterRenames(each.values, await renamesOf(each))))
}

export const tagRenamesQuery = (tag_id: string) =>
  queryOptions({
    queryKey: ['tag-renames', tag_id],
    queryFn: ({ signal }) => tagRenames(tag_id, { signal }),
    staleTime: 0,
  })
