import { lstatSync, readFileSync } from 'node:fs'
import { refuseFolder } from '#src/cli/command.ts'
import type { Store } from '#src/cli/open-store.ts'
import { tagTypes, type TypedTag } from '#src/cli/tag-types.ts'
import { badRequest, conflict } from '#src/domain/errors.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'

const PAGE = 1000

export const TYPES_OPERATIONS = [searchTags]

/** What the words after `types` ask for. @throws BadRequest: it takes none but the file to check */
export function readTypesCommand(
  words: readonly string[],
  { check = false, json = false }: { check?: boolean | undefined; json?: boolean | undefined } = {},
): (store: Store) => Promise<string> {
  const [file, ...others] = check ? words : [undefined, ...words]
  if (check && file === undefined) throw badRequest('types --check wants the file that is to be checked')
  if (others.length) throw badRequest(`types does not take '${others[0]}'`)
  return async (store) => {
    const types = tagTypes(await allTags(store)).trimEnd()
    if (file === undefined) return json ? JSON.stringify({ types }, null, 2) : types
    const said = compared(file, types)
    return json ? JSON.stringify({ file, stale: false }, null, 2) : said
  }
}

async function allTags(store: Store): Promise<TypedTag[]> {
  const tags: TypedTag[] = []
  for (;;) {
    const page: TypedTag[] = await store.call(searchTags, {
      limit: PAGE,
      skip: tags.length,
      sort: [{ by: 'name' }],
    })
    tags.push(...page)
    if (!page.length) return tags
  }
}

/** @throws Conflict where the file says something else, or is not there */
function compared(file: string, types: string): string {
  const mend = `npm run -s facet -- types > ${file}`
  if (!lstatSync(file, { throwIfNoEntry: false }))
    throw conflict(`There is no ${file}`, { suggestion: `${mend} writes it` })
  refuseFolder(file)
  // As a checkout on Windows writes its lines.
  const written = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trimEnd()
  if (written === types) return `${file} fits the base`
  throw conflict(`${file} is stale: the tags of the base are others`, {
    suggestion: `${mend} writes it again`,
  })
}
