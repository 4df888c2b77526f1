import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { keepItemName } from '#web/data/item-names.ts'
import { filterOfTags } from '#web/data/item-options.ts'
import type { NamedItems } from '#web/rules/named-items.ts'

/** Names in one request. */
const AT_ONCE = 200
const PAGE = 1000

/** Items of the tags that are meant, by names that are given to the letter, as imports take them. */
export async function readNamedItems(names: Iterable<string>, of: readonly string[]): Promise<NamedItems> {
  const all = [...new Set(names)]
  const found = new Map<string, string[]>()
  const tagged = filterOfTags(of)
  for (let i = 0; i < all.length; i += AT_ONCE) {
    const named = { name: { in: all.slice(i, i + AT_ONCE) } }
    const filter = tagged ? { and: [tagged, named] } : named
    let after: string | undefined
    do {
      const { data, next } = await call(searchItems, { filter, limit: PAGE, ...(after && { after }) })
      for (const { item_id, name } of data) {
        keepItemName(item_id, name)
        const known = found.get(name)
        if (known) known.push(item_id)
        else found.set(name, [item_id])
      }
      after = next
    } while (after)
  }
  return found
}
