import { invalid, type Problem } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { bindValuePath, type ValuePath } from '#src/filter/meaning/value-path.ts'
import { ListedItem } from '#src/operations/schemas/answers.ts'

/** What of each item is wanted: properties of its list form, and values at paths, each under its own text. */
export interface ItemSelection {
  /** As they were given, in their order. */
  readonly names: readonly string[]
  readonly paths: ReadonlyMap<string, ValuePath>
}

const PROPERTIES = Object.keys(ListedItem.properties)

/**
 * What `fields` asks for (additions §12). A text of several names, as a query string has them, is taken apart.
 * @throws BadRequest with every fault
 */
export async function bindSelection(
  fields: readonly string[],
  catalog: TagCatalog,
  at = 'fields',
): Promise<ItemSelection> {
  const problems: Problem[] = []
  const paths = new Map<string, ValuePath>()
  const names = fields.flatMap((each) => (isListOfProperties(each) ? each.split(',') : [each]))
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

const isListOfProperties = (text: string) =>
  text.includes(',') && text.split(',').every((each) => PROPERTIES.includes(each))
