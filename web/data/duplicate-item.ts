import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { createItem } from '#web/api/operations.ts'
import type { Item } from '#web/data/item-query.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { keepChange } from '#web/data/undo-change.ts'

interface Duplicate {
  item_id: string
  /** Fields whose values no longer fit, which a new item cannot have. */
  left_out: readonly string[]
}

/** Makes another item with the same description, tags and values, as far as they fit. */
export async function duplicateItem({ name, description, data }: Item): Promise<Duplicate> {
  const called = `${name} (copy)`
  const tags = Object.entries(data).map(([tag_id, { field_values }]) => ({
    tag_ref: { Existing: tag_id },
    field_values: { ...field_values },
  }))
  const left_out: string[] = []
  const create = () => call(createItem, { name: called, tags, ...(description && { description }) })
  let made = await create().catch(toFault)
  while (made instanceof Fault) {
    const unfit = takeUnfit(tags, made)
    if (!unfit.length) throw made
    left_out.push(...unfit)
    made = await create().catch(toFault)
  }
  keepChange(`Made ${called}`, made.change_id)
  itemsChanged([made.data.item_id])
  return { item_id: made.data.item_id, left_out }
}

/** Takes away the values that the service has named; their fields. */
function takeUnfit(
  tags: readonly { field_values: Record<string, unknown> }[],
  { problems }: Fault,
): string[] {
  const unfit: string[] = []
  for (const [i, { field_values }] of tags.entries())
    for (const field of Object.keys(field_values)) {
      const at = `tags[${i}].field_values.${field}`
      if (!problems.some(({ path }) => path === at || path.startsWith(`${at}[`) || path.startsWith(`${at}.`)))
        continue
      delete field_values[field]
      unfit.push(field)
    }
  return unfit
}
