import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'

/** Names in one request. */
const AT_ONCE = 200

/** The ids of the items that have each name exactly, first among the tags that are meant. */
export async function findNames(
  wanted: readonly { name: string; of: readonly string[] }[],
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const tagsOf = new Map(wanted.map(({ name, of }) => [name, of]))
  const names = [...tagsOf.keys()]
  for (let i = 0; i < names.length; i += AT_ONCE) {
    const filter = { or: names.slice(i, i + AT_ONCE).map((name) => ({ name: { eq: name } })) }
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const input = { filter, limit: 1000, ...(after !== undefined && { after }) }
      const { data, next } = await call(searchItems, input, { signal })
      const meant = data.filter(({ name, tags }) => {
        const of = tagsOf.get(name) ?? []
        return !of.length || of.some((tag_id) => tags[tag_id])
      })
      for (const { name, item_id } of meant) found.set(name, [...(found.get(name) ?? []), item_id])
      after = next
    }
  }
  return found
}
