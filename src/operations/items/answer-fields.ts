import { badRequest } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { bindSelection } from '#src/operations/items/item-selection.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { listedItems } from '#src/storage/items/listed-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findRowIds } from '#src/storage/value-index/reference-targets.ts'

/**
 * What `return_fields` asks for of items that a call has written (further §18), as JSON text of a list in their order.
 * It is read when they are written, because the call may make the tags that it names; a fault takes all of it back.
 * @throws BadRequest with every fault
 */
export async function answerFields(
  context: SqlContext,
  return_fields: readonly string[],
  item_ids: readonly Ulid[],
): Promise<string> {
  const { db } = context
  const { names, paths } = await bindSelection(return_fields, tagCatalog(context), 'return_fields')
  const selection = { names: [...new Set(['item_id', ...names])], paths }
  const rows = await findRowIds(db, [...new Set(item_ids)])
  const ids = item_ids.map((item_id) => rows.get(item_id)!)
  const { json, taken } = await listedItems(db, ids, { selection })
  if (taken < ids.length)
    throw badRequest(`return_fields: the answer would be too long after ${taken} of ${ids.length} items`, {
      suggestion: 'Ask for fewer fields, or write fewer items at once',
    })
  return json.toString()
}

/** The same of one item. */
export const answerFieldsOf = async (
  context: SqlContext,
  return_fields: readonly string[],
  item_id: Ulid,
): Promise<string> => (await answerFields(context, return_fields, [item_id])).slice(1, -1)
