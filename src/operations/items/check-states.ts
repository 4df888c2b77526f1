import { bulkPreconditionFailed } from '#src/domain/precondition.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { statesOf } from '#src/storage/items/items.ts'
import { itemJson } from '#src/storage/items/item-json.ts'

/** Items that a refusal shows as they are now. */
const MAX_SHOWN = 100

/**
 * Refuses a change of many items that was meant for other states than they have: by item id, their `updated_at`.
 * @throws PreconditionFailed with the items that differ
 */
export async function checkStates(db: Db, wanted: Readonly<Record<string, string>>): Promise<void> {
  const given = Object.entries(wanted).map(([id, time]) => ({ item_id: parseUlid(id) ?? id, time }))
  const states = await statesOf(
    db,
    given.map(({ item_id }) => item_id),
  )
  const differing = given.filter(({ item_id, time }) => states.get(item_id) !== time)
  if (!differing.length) return
  const current: Record<string, unknown> = {}
  for (const { item_id } of differing.slice(0, MAX_SHOWN))
    current[item_id] = states.has(item_id) ? JSON.parse(await itemJson(db, item_id)) : null
  throw bulkPreconditionFailed(differing.length, current)
}
