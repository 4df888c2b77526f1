import type { Store } from '#src/cli/open-store.ts'
import { tagTypes, type TypedTag } from '#src/cli/tag-types.ts'
import { badRequest } from '#src/domain/errors.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'

const PAGE = 1000

export const TYPES_OPERATIONS = [searchTags]

/** What the words after `types` ask for. @throws BadRequest: it takes none */
export function readTypesCommand(words: readonly string[]): (store: Store) => Promise<string> {
  if (words.length) throw badRequest(`types does not take '${words[0]}'`)
  return async (store) => {
    const tags: TypedTag[] = []
    for (;;) {
      const page: TypedTag[] = await store.call(searchTags, {
        limit: PAGE,
        skip: tags.length,
        sort: [{ by: 'name' }],
      })
      tags.push(...page)
      if (!page.length) return tagTypes(tags).trimEnd()
    }
  }
}
