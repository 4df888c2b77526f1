import { asWrite, call } from '#web/api/call.ts'
import { bulkRestore, getItem, listTags, restoreTag } from '#web/api/operations.ts'
import { type Deleted, stillDeleted } from '#web/data/trash-query.ts'

interface Restored {
  /** Those of what was chosen that were still deleted. */
  brought: readonly Deleted[]
  /** Oldest first. */
  change_ids: readonly string[]
  /** Names of tags that the items had and that are deleted themselves by now. */
  lost: readonly string[]
}

/** Items in one call. */
const AT_ONCE = 1000
/** Of more than these it is not looked up which tags they lost. */
const LOOKED_AT = 20

/** Restores what is chosen: tags first, so that items have them again. */
export const restored = (chosen: readonly Deleted[]): Promise<Restored> => asWrite(restore(chosen))

async function restore(chosen: readonly Deleted[]): Promise<Restored> {
  const change_ids: (string | undefined)[] = []
  const brought = await stillDeleted(chosen)
  for (const { kind, id } of brought)
    if (kind === 'tag') change_ids.push((await call(restoreTag, { tag_id: id })).change_id)
  const items = brought.filter(({ kind }) => kind === 'item')
  for (let i = 0; i < items.length; i += AT_ONCE) {
    const item_ids = items.slice(i, i + AT_ONCE).map(({ id }) => id)
    change_ids.push((await call(bulkRestore, { item_ids })).change_id)
  }
  // Looked up afterwards, so that what cannot be known keeps nothing from coming back.
  const lost = items.length ? await lostTags(items.slice(0, LOOKED_AT)).catch(() => []) : []
  return { brought, change_ids: change_ids.filter((id) => id !== undefined), lost }
}

async function lostTags(items: readonly Deleted[]): Promise<string[]> {
  const live = new Set((await call(listTags, {})).data.map(({ tag_id }) => tag_id))
  const had = await Promise.all(
    items.map(async ({ id, deleted_at }) => {
      const as_of = new Date(Date.parse(deleted_at) - 1).toISOString()
      return Object.entries((await call(getItem, { item_id: id, as_of })).data.data)
    }),
  )
  return [...new Set(had.flat().flatMap(([id, { tag_name }]) => (live.has(id) ? [] : [tag_name])))]
}
