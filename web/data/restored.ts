import { call } from '#web/api/call.ts'
import { getItem, listTags, restoreItem, restoreTag } from '#web/api/operations.ts'
import type { Deleted } from '#web/data/trash-query.ts'

interface Restored {
  change_id: string | undefined
  /** Names of tags that it had and that are deleted themselves by now. */
  lost: readonly string[]
}

export async function restoredItem({
  id,
  deleted_at,
}: Pick<Deleted, 'id' | 'deleted_at'>): Promise<Restored> {
  const { data, change_id } = await call(restoreItem, { item_id: id })
  // Looked up afterwards, so that what cannot be known keeps nothing from coming back.
  const lost = await lostTags(id, deleted_at, Object.keys(data.data)).catch(() => [])
  return { change_id, lost }
}

export async function restoredTag(tag_id: string): Promise<Restored> {
  const { change_id } = await call(restoreTag, { tag_id })
  return { change_id, lost: [] }
}

async function lostTags(item_id: string, deleted_at: string, left: readonly string[]): Promise<string[]> {
  const as_of = new Date(Date.parse(deleted_at) - 1).toISOString()
  const { data } = await call(getItem, { item_id, as_of })
  const had = Object.entries(data.data).filter(([tag_id]) => !left.includes(tag_id))
  if (!had.length) return []
  const live = new Set((await call(listTags, {})).data.map(({ tag_id }) => tag_id))
  return had.flatMap(([tag_id, { tag_name }]) => (live.has(tag_id) ? [] : [tag_name]))
}
