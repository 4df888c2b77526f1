import { invalid, type Problem } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { bindValuePath, type ValuePath } from '#src/filter/meaning/value-path.ts'
import { MAX_FIELDS } from '#src/operations/paging.ts'
import { ListedItem } from '#src/operations/schemas/answers.ts'

/** What of each item is wanted: properties of its list form, and values at paths, each under its own text. */
export interface ItemSelection {
  /** As they were given, in their order. */
  readonly names: readonly string[]
  readonly paths: ReadonlyMap<string, ValuePath>
}

const PROPERTIES = Object.keys(ListedItem.properties)

/**
 * What `fields` asks for (additions §12). A text of several names, as a query string has them, is taken apart; one that
 * is the path of a tag with a comma in its name stays whole.
 * @throws BadRequest with every fault
 */
export async function bindSelection(
  fields: readonly string[],
  catalog: TagCatalog,
  at = 'fields',
): Promise<ItemSelection> {
  const problems: Problem[] = []
  const paths = new Map<string, ValuePath>()
  const names: string[] = []
  for (const each of fields) {
    names.push(...(await namesIn(each, catalog)))
    if (names.length > MAX_FIELDS)
      throw invalid([{ path: at, message: `must have at most ${MAX_FIELDS} elements` }])
  }
  for (const [i, name] of names.entries()) {
    if (PROPERTIES.includes(name)) continue
    const path = `${at}[${i}]`
    if (!name.includes('.')) {
      const meant = nearest(name, PROPERTIES)
      const hint = meant ? `did you mean '${meant}'?` : `expected ${PROPERTIES.join(', ')} or <Tag>.<field>`
      problems.push({ path, message: `an item has no property '${name}'; ${hint}` })
      continue
    }
    const bound = await bindValuePath(name, path, catalog, { left: true })
    if ('message' in bound) problems.push(bound)
    else paths.set(name, bound)
  }
  if (problems.length) throw invalid(problems)
  return { names, paths }
}

/** A text is several names where one is a property, or the first one a path; else it is one. */
async function namesIn(text: string, catalog: TagCatalog): Promise<string[]> {
  const parts = text.split(',')
  if (parts.length === 1 || (await isPath(text, catalog))) return [text]
  const isList = parts.some((part) => PROPERTIES.includes(part)) || (await isPath(parts[0]!, catalog))
  return isList ? parts : [text]
}

const isPath = async (text: string, catalog: TagCatalog): Promise<boolean> =>
  !('message' in (await bindValuePath(text, '', catalog, { left: true })))
