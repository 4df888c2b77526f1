import { invalid, type Problem } from '#src/domain/errors.ts'
import { isMany } from '#src/domain/field-schema.ts'
import { nearest } from '#src/domain/nearest.ts'
import { bindFieldReference } from '#src/filter/meaning/bind-filter.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/** One key of an order: a column that every item has, or a field. */
export type OrderKey = (
  | { readonly column: ItemColumn; readonly field?: undefined }
  | { readonly column?: undefined; readonly field: BoundField }
) & { readonly descending: boolean }

export const ITEM_COLUMNS = ['created_at', 'updated_at', 'name'] as const
export type ItemColumn = (typeof ITEM_COLUMNS)[number]

/** In what order a search answers: by its keys, what has no value last; ties, and all without keys, by row id. */
export interface SearchOrder {
  readonly keys: readonly OrderKey[]
  /** Of the ties: the direction of the last key. */
  readonly descending: boolean
}

export const OLDEST_FIRST: SearchOrder = { keys: [], descending: false }

interface SortKey {
  by: string
  direction?: 'asc' | 'desc'
}

/**
 * The order that `sort` asks for, its names resolved.
 * @throws BadRequest with every fault
 */
export async function bindSort(sort: readonly SortKey[], catalog: TagCatalog): Promise<SearchOrder> {
  const problems: Problem[] = []
  const keys: OrderKey[] = []
  for (const [i, { by, direction }] of sort.entries()) {
    const descending = direction === 'desc'
    if (isItemColumn(by)) keys.push({ column: by, descending })
    else {
      const field = await sortField(by, `sort[${i}].by`, catalog)
      if ('message' in field) problems.push(field)
      else keys.push({ field, descending })
    }
  }
  if (problems.length) throw invalid(problems)
  return { keys, descending: keys.at(-1)?.descending ?? false }
}

const isItemColumn = (by: string): by is ItemColumn => (ITEM_COLUMNS as readonly string[]).includes(by)

async function sortField(by: string, path: string, catalog: TagCatalog): Promise<BoundField | Problem> {
  if (!by.includes('.')) {
    const meant = nearest(by, ITEM_COLUMNS)
    const hint = meant ? `did you mean '${meant}'?` : `expected ${ITEM_COLUMNS.join(', ')} or <Tag>.<field>`
    return { path, message: `cannot sort by '${by}'; ${hint}` }
  }
  const reference = await bindFieldReference(by, path, catalog)
  if ('message' in reference) return reference
  const { tag, name, field } = reference
  if (!field) {
    const meant = nearest(name, tag.fields.keys())
    const hint = meant ? `; did you mean '${tag.name}.${meant}'?` : ''
    return { path, message: `Tag '${tag.name}' has no field '${name}'${hint}` }
  }
  if (isMany(field.type))
    return {
      path,
      message: `cannot sort by '${by}': a ${field.type} holds several values, which have no order`,
    }
  return field
}
