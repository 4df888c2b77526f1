import { parseUlid } from '#src/domain/ulid.ts'
import { REVERSE } from '#src/filter/language/filter-keys.ts'
import type { ParsedFilter } from '#src/filter/language/filter-tree.ts'
import { parseFilter } from '#src/filter/language/parse-filter.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/**
 * Parses a filter as `parseFilter` does. Where a key begins with `<-` and there is a tag of that very name, the key
 * names the tag: whoever knows only `Tag.field` may call a tag what they like. An id behind `<-` wins over such a name.
 */
export async function parseByNames(
  input: unknown,
  catalog: Pick<TagCatalog, 'byId' | 'byName'>,
  path?: string,
): Promise<ParsedFilter> {
  const parsed = parseFilter(input, path)
  const names = new Set<string>()
  for (const name of parsed.possibleNames) if (await isName(name, catalog)) names.add(name)
  return names.size ? parseFilter(input, path, names) : parsed
}

async function isName(name: string, catalog: Pick<TagCatalog, 'byId' | 'byName'>): Promise<boolean> {
  const tag_id = parseUlid(name.slice(REVERSE.length))
  if (tag_id !== null && (await catalog.byId(tag_id))) return false
  return (await catalog.byName(name)) !== undefined
}
